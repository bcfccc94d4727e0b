// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
@_exported public import TernValues

/// An answer to a challenge: a user name and a password, a token, a client certificate, or trust in a server's
/// certificates.
///
/// Descriptions, dumps and logs never show a secret; only ``user``, ``password`` and ``token`` return the secrets.
public struct Credential: Hashable, Sendable {
    /// The time for which a credential is kept.
    @nonexhaustive
    public enum Persistence: Hashable, Sendable {
        /// The credential answers one challenge and is then discarded.
        case none
        /// The client keeps the credential in memory, until the client is deallocated.
        ///
        /// The client does not pass the credential to its ``CredentialStore``.
        case forSession
        /// The client also passes the credential to its ``CredentialStore``, which keeps it as long as it can.
        ///
        /// A ``MemoryCredentialStore`` keeps the credential until the store is deallocated.
        case stored
    }

    /// The content of a credential.
    package enum Content: Hashable, Sendable {
        /// A user name and a password, for Basic and Digest.
        case password(user: String, password: String)
        /// A token, for Bearer.
        case token(String)
        /// Trust in the certificates that a server presented, for `ServerTrust`.
        case trust(ServerTrust)
        /// A certificate with its private key, for `ClientCertificate`.
        case identity(ClientIdentity)
    }

    private let concealedContent: Concealed<Content>
    /// The time for which the credential is kept.
    public let persistence: Persistence

    /// Creates a credential from its parts.
    private init(content: Content, persistence: Persistence) {
        self.concealedContent = Concealed(content)
        self.persistence = persistence
    }

    /// Creates a credential for Basic and Digest.
    ///
    /// Servers compare user names and passwords byte by byte, as UTF-8. The client sends both unchanged, so pass them
    /// in Normalization Form C (RFC 7616 §3.4, RFC 7617 §2.1).
    ///
    /// - Parameters:
    ///   - user: The user name. The client checks its characters only when it uses the credential.
    ///   - password: The password.
    ///   - persistence: The time for which the credential is kept. Defaults to `.forSession`.
    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.init(content: .password(user: user, password: password), persistence: persistence)
    }

    /// Creates a credential for Bearer.
    ///
    /// - Parameters:
    ///   - token: The token, without `Bearer`.
    ///   - persistence: The time for which the credential is kept. Defaults to `.forSession`.
    public init(token: String, persistence: Persistence = .forSession) {
        self.init(content: .token(token), persistence: persistence)
    }

    /// Creates a credential that trusts a server whose certificates failed verification.
    ///
    /// The credential is valid only for the connection that the client is opening, and is never stored.
    ///
    /// - Parameter trust: The certificates that the server presented.
    public init(trust: ServerTrust) { self.init(content: .trust(trust), persistence: .none) }

    /// Creates a credential that answers a server's request for a client certificate.
    ///
    /// - Parameters:
    ///   - identity: The certificate with its private key.
    ///   - persistence: The time for which the credential is kept. Defaults to `.forSession`.
    public init(identity: ClientIdentity, persistence: Persistence = .forSession) {
        self.init(content: .identity(identity), persistence: persistence)
    }

    /// The content of the credential.
    package var content: Content { self.concealedContent.value }

    /// The user name that belongs to the password; `nil` for other credentials.
    public var user: String? {
        if case .password(let user, _) = self.content { user } else { nil }
    }

    /// The password; `nil` for other credentials.
    ///
    /// A ``CredentialStore`` reads this property to store the password in a safe place.
    public var password: String? {
        if case .password(_, let password) = self.content { password } else { nil }
    }

    /// The token; `nil` for other credentials.
    ///
    /// A ``CredentialStore`` reads this property to store the token in a safe place.
    public var token: String? {
        if case .token(let token) = self.content { token } else { nil }
    }

    /// Whether the credential is a user name and a password.
    package var hasPassword: Bool {
        if case .password = self.content { true } else { false }
    }
}

extension Credential.Content: CustomStringConvertible, CustomReflectable {
    /// The kind of the credential, with everything else masked.
    ///
    /// The user name is masked as well, because many services accept a token in its place.
    package var description: String {
        switch self {
        case .password: "password(\(FieldText.mask))"
        case .token: "token(\(FieldText.mask))"
        case .trust: "trust"
        case .identity: "identity(\(FieldText.mask))"
        }
    }

    /// Shows no children to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension Credential: CustomStringConvertible, Described {
    /// The kind of the credential, with everything else masked: `password(***)`.
    package var wording: String { self.content.description }
}
