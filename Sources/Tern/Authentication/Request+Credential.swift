// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernRequests

/// A credential of a request, with the rules for its use.
package struct RequestCredential: Hashable, Sendable {
    /// The credential.
    package var credential: Credential
    /// The schemes with which the client may send the credential; `nil` allows all schemes for this kind of credential.
    package var schemes: Set<AuthenticationScheme>?
    /// Whether the client sends the credential with the first request, using Basic or Bearer, without waiting for a
    /// challenge.
    package var isPreemptive: Bool

    /// Creates a credential for a request.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - schemes: The schemes with which the client may send the credential. Defaults to `nil`: all schemes for this
    ///     kind of credential.
    ///   - isPreemptive: Whether the client sends the credential with the first request, without waiting for a
    ///     challenge. Defaults to `true` for a token, and to `false` for a password, because the server may support a
    ///     scheme that does not reveal the password.
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
    /// The credential that answers the server's challenges, unless a delegate chooses another credential.
    ///
    /// Defaults to `nil`. With a credential, the client does not look for another one in the credential store. The
    /// credential is for the origin of the request's URL: a redirect to another origin drops it. After a server has
    /// accepted it, the client sends it with later requests that set the same credential, without waiting for a
    /// challenge, unless its persistence is `none`. Other requests use the credential only if its persistence is
    /// `stored`, because the client then also saves it in the credential store.
    package var credential: RequestCredential? {
        get { self[CredentialOption.self] }
        set { self[CredentialOption.self] = newValue }
    }
}

extension Request {
    /// Returns a copy that answers the server's challenges with a credential, unless a delegate chooses another one.
    ///
    /// ```swift
    /// let request = Request(url: url).credential(Credential(user: "anna", password: password))
    /// ```
    ///
    /// Only requests to which you add this credential use it, unless its persistence is `stored`.
    ///
    /// - Parameters:
    ///   - credential: The credential. It is for the origin of the request's URL only.
    ///   - schemes: The schemes with which the client may send the credential. Defaults to `nil`: all schemes for this
    ///     kind of credential.
    ///   - isPreemptive: Whether the client sends the credential with the first request, without waiting for a
    ///     challenge. Defaults to `true` for a token and to `false` for a password.
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
