// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernRequests

/// A credential of a request, with the rules for its use.
package struct RequestCredential: Hashable, Sendable {
    /// The credential.
    package var credential: Credential
    /// The schemes that may use the credential; `nil` allows all that fit it.
    package var schemes: Set<AuthenticationScheme>?
    /// Whether the client sends the credential at once, with Basic or Bearer, without waiting for a challenge.
    package var isPreemptive: Bool

    /// Creates a credential for a request.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - schemes: The schemes that may use the credential. Defaults to `nil`, all that fit it.
    ///   - isPreemptive: Whether to send it without waiting for a challenge. Defaults to `true` for a token and `false`
    ///     for a password, because the server may support a scheme that does not reveal the password.
    package init(_ credential: Credential, schemes: Set<AuthenticationScheme>? = nil, isPreemptive: Bool? = nil) {
        self.credential = credential
        self.schemes = schemes
        if case .token = credential.content {
            self.isPreemptive = isPreemptive ?? true
        } else {
            self.isPreemptive = isPreemptive ?? false
        }
    }
}

private enum CredentialOption: CurlOption {
    typealias Value = RequestCredential

    static func curlArguments(_ value: RequestCredential) -> [String] {
        switch value.credential.content {
        case .password: [value.isPreemptive ? "--basic" : "--anyauth", "--user", "***"]
        case .token: ["--oauth2-bearer", "***"]
        default: []
        }
    }
}

extension RequestOptions {
    /// The credential for the server's challenges, used before any delegate or store.
    ///
    /// Defaults to `nil`. It is for the origin of the request's URL: a redirect to another origin drops it. Once
    /// accepted, it is sent preemptively with later requests that bring the same credential, and with no others. A
    /// `stored` one also goes to the credential store, which serves all requests.
    package var credential: RequestCredential? {
        get { self[CredentialOption.self] }
        set { self[CredentialOption.self] = newValue }
    }
}

extension Request {
    /// Returns a copy that answers the server's challenges with a credential, before any delegate or store is asked.
    ///
    /// ```swift
    /// let request = Request(url: url).credential(Credential(user: "anna", password: password))
    /// ```
    ///
    /// Only requests with this credential use it, unless its persistence is `stored`.
    ///
    /// - Parameters:
    ///   - credential: The credential, for the origin of the URL only.
    ///   - schemes: The schemes that may use the credential. Defaults to `nil`, all that fit it.
    ///   - isPreemptive: Whether to send it without waiting for a challenge. Defaults to `true` for a token and `false`
    ///     for a password.
    /// - Returns: The changed copy.
    public func credential(
        _ credential: Credential,
        schemes: Set<AuthenticationScheme>? = nil,
        isPreemptive: Bool? = nil
    ) -> Request {
        self.with {
            $0.options.credential = RequestCredential(credential, schemes: schemes, isPreemptive: isPreemptive)
        }
    }
}
