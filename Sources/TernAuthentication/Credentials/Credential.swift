// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
@_exported public import TernValues

/// An answer to a challenge: a password, a token, a client certificate, or trust in a server's certificates.
///
/// Descriptions and dumps never show a secret; only ``user``, ``password`` and ``token`` return the secrets.
public struct Credential: Hashable, Sendable {
    /// The time for which a credential is kept.
    @nonexhaustive
    public enum Persistence: Hashable, Sendable {
        /// The client does not keep the credential for other calls.
        case none
        /// The client can use the credential of an accepted answer for later calls, until it is refused or the client is gone.
        case forSession
        /// As ``forSession``; after a successful answer, the client can also pass the credential to its ``CredentialStore``.
        case stored
    }

    package enum Content: Hashable, Sendable {
        case password(user: String, password: String)
        case token(String)
        case trust(ServerTrust)
        case identity(ClientIdentity)
    }

    private let concealedContent: Concealed<Content>
    /// The time for which the credential is kept.
    public let persistence: Persistence

    private init(content: Content, persistence: Persistence) {
        self.concealedContent = Concealed(content)
        self.persistence = persistence
    }

    /// Creates a credential for Basic and Digest.
    ///
    /// - Parameters:
    ///   - user: The user name, in Normalization Form C (RFC 7617 §2.1), because the client does not normalize it.
    ///   - password: The password, in the same form.
    ///   - persistence: The time for which the credential is kept.
    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.init(content: .password(user: user, password: password), persistence: persistence)
    }

    /// Creates a credential for Bearer from a token, without `Bearer`.
    public init(token: String, persistence: Persistence = .forSession) {
        self.init(content: .token(token), persistence: persistence)
    }

    /// Creates a credential that trusts a server with the certificates of `trust`, even if they failed verification.
    public init(trust: ServerTrust) { self.init(content: .trust(trust), persistence: .none) }

    /// Creates a credential that answers a server's request for a client certificate; the client ignores `persistence`.
    public init(identity: ClientIdentity, persistence: Persistence = .forSession) {
        self.init(content: .identity(identity), persistence: persistence)
    }

    package var content: Content { self.concealedContent.value }

    /// The user name that belongs to the password; `nil` for other credentials.
    public var user: String? {
        if case .password(let user, _) = self.content { user } else { nil }
    }

    /// The password; `nil` for other credentials.
    public var password: String? {
        if case .password(_, let password) = self.content { password } else { nil }
    }

    /// The token; `nil` for other credentials.
    public var token: String? {
        if case .token(let token) = self.content { token } else { nil }
    }

    package var hasPassword: Bool {
        if case .password = self.content { true } else { false }
    }
}

extension Credential.Content: CustomStringConvertible, CustomReflectable {
    /// The user name is masked as well, because many services accept a token in its place.
    package var description: String {
        switch self {
        case .password: "password(\(FieldText.mask))"
        case .token: "token(\(FieldText.mask))"
        case .trust: "trust"
        case .identity: "identity(\(FieldText.mask))"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension Credential: CustomStringConvertible, Described {
    package var wording: String { self.content.description }
}
