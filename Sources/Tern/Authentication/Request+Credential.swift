// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernRequests

package struct RequestCredential: Hashable, Sendable {
    package var credential: Credential
    /// The schemes with which the client may send the credential; `nil` allows all schemes for this kind of credential.
    package var schemes: Set<AuthenticationScheme>?
    /// Whether the client sends the credential with the first request, using Basic or Bearer, without waiting for a challenge.
    package var isPreemptive: Bool

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
    /// The credential for the challenges of the URL's origin; later requests with the same credential send it at once.
    package var credential: RequestCredential? {
        get { self[CredentialOption.self] }
        set { self[CredentialOption.self] = newValue }
    }
}

extension Request {
    /// Returns a copy that answers the server's challenges with a credential, unless a delegate decides otherwise.
    ///
    /// A redirect to another origin drops the credential. After it has answered a challenge, the client can send it at once with
    /// later requests that set the same credential, if its persistence is not `none`. Other requests can use it only if its
    /// persistence is `stored`.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - schemes: The schemes with which the client may send the credential; `nil` for all of its kind.
    ///   - isPreemptive: Whether the client may send the credential before any challenge. Defaults to `true` for a token, and to
    ///     `false` for a password, because the server may support a scheme that does not reveal the password.
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
