// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernRequests

/// A credential that a request brings, and how it may be used.
package struct RequestCredential: Hashable, Sendable {
    /// The credential.
    package var credential: Credential
    /// The schemes that it may be used with; `nil`, the default, for all that fit it.
    package var schemes: Set<AuthenticationScheme>?
    /// Whether it is sent at once, by Basic or Bearer, without waiting for a challenge.
    package var isPreemptive: Bool

    /// Creates a credential for a request.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - schemes: the schemes that it may be used with; all that fit it by default.
    ///   - isPreemptive: whether to send it without waiting for a challenge. By default a token is and a password is
    ///     not, because the server may know a scheme that does not show it.
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

    static func curlWords(_ value: RequestCredential) -> [String] {
        switch value.credential.content {
        case .password: [value.isPreemptive ? "--basic" : "--anyauth", "--user", "***"]
        case .token: ["--oauth2-bearer", "***"]
        default: []
        }
    }
}

extension RequestOptions {
    /// What to answer the server's challenges with, before any delegate or store; `nil` by default.
    ///
    /// It is for the origin of the request's URL: a redirect to another drops it. Once it was accepted, it is sent unasked
    /// with other requests that bring the same, and with no others; a `stored` one goes to the store, which is for all.
    package var credential: RequestCredential? {
        get { self[CredentialOption.self] }
        set { self[CredentialOption.self] = newValue }
    }
}

extension Request {
    /// Answers the server's challenges with a credential, before any delegate or store is asked.
    ///
    /// ```swift
    /// let request = Request(url: url).credential(Credential(user: "anna", password: password))
    /// ```
    ///
    /// Only requests that bring it use it, unless its persistence is `stored`.
    ///
    /// - Parameters:
    ///   - credential: the credential; for the origin of the URL alone.
    ///   - schemes: the schemes that it may be used with; all that fit it by default.
    ///   - isPreemptive: whether to send it without waiting for a challenge; by default a token is and a password is not.
    /// - Returns: a changed copy.
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
