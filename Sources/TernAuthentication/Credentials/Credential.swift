// SPDX-License-Identifier: Apache-2.0

// Exported, so that `description` and its like are found where only this module is imported (MemberImportVisibility).
@_exported public import TernValues

/// What answers a challenge: a name and a password, a token, a client's certificate, or trust in a server's.
///
/// It never appears in a description, a dump or a log; only ``user``, ``password`` and ``token`` give it away.
public struct Credential: Hashable, Sendable {
    /// How long a credential is kept once it was given.
    @nonexhaustive
    public enum Persistence: Hashable, Sendable {
        /// It answers one challenge and is forgotten.
        case none
        /// It is kept in memory, for as long as its store lives.
        case forSession
        /// It is kept as long as the store can, which for a store in memory is the same as ``forSession``.
        case stored
    }

    /// What a credential consists of.
    package enum Content: Hashable, Sendable {
        /// A name and a password, for Basic and Digest.
        case password(user: String, password: String)
        /// A token, for Bearer.
        case token(String)
        /// Trust in the certificates that a server presented, for `ServerTrust`.
        case trust(ServerTrust)
        /// A certificate with its private key, for `ClientCertificate`.
        case identity(ClientIdentity)
    }

    private let concealedContent: Concealed<Content>
    /// How long it is kept.
    public let persistence: Persistence

    /// Creates a credential from its parts.
    private init(content: Content, persistence: Persistence) {
        self.concealedContent = Concealed(content)
        self.persistence = persistence
    }

    /// Creates a credential for Basic and Digest.
    ///
    /// Names and passwords are compared by servers byte by byte, as UTF-8. A text that was not typed but computed
    /// should be in Normalization Form C (RFC 7616 §3.4, RFC 7617 §2.1); it is sent as it is.
    ///
    /// - Parameters:
    ///   - user: the name; whether it can be sent is judged when a challenge is answered.
    ///   - password: the password.
    ///   - persistence: how long it is kept; for the session by default.
    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.init(content: .password(user: user, password: password), persistence: persistence)
    }

    /// Creates a credential for Bearer.
    ///
    /// - Parameters:
    ///   - token: the token, without `Bearer`.
    ///   - persistence: how long it is kept; for the session by default.
    public init(token: String, persistence: Persistence = .forSession) {
        self.init(content: .token(token), persistence: persistence)
    }

    /// Creates a credential that trusts a server whose certificates were found wanting.
    ///
    /// It is good for the connection in question and is never kept.
    ///
    /// - Parameter trust: what the server presented.
    public init(trust: ServerTrust) { self.init(content: .trust(trust), persistence: .none) }

    /// Creates a credential for a server that asks for a certificate.
    ///
    /// - Parameters:
    ///   - identity: the certificate with its private key.
    ///   - persistence: how long it is kept; for the session by default.
    public init(identity: ClientIdentity, persistence: Persistence = .forSession) {
        self.init(content: .identity(identity), persistence: persistence)
    }

    /// What it consists of.
    package var content: Content { self.concealedContent.value }

    /// The name that comes with a password; `nil` for other credentials.
    public var user: String? {
        if case .password(let user, _) = self.content { user } else { nil }
    }

    /// The password; `nil` for other credentials.
    ///
    /// For a ``CredentialStore`` that writes it where it is safe.
    public var password: String? {
        if case .password(_, let password) = self.content { password } else { nil }
    }

    /// The token; `nil` for other credentials.
    ///
    /// For a ``CredentialStore`` that writes it where it is safe.
    public var token: String? {
        if case .token(let token) = self.content { token } else { nil }
    }

    /// Whether it is a name and a password.
    package var hasPassword: Bool {
        if case .password = self.content { true } else { false }
    }
}

extension Credential.Content: CustomStringConvertible, CustomReflectable {
    /// The kind, with all of it masked; the name too, for many services take a token in its place.
    package var description: String {
        switch self {
        case .password: "password(\(FieldText.mask))"
        case .token: "token(\(FieldText.mask))"
        case .trust: "trust"
        case .identity: "identity(\(FieldText.mask))"
        }
    }

    /// Shows nothing to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension Credential: CustomStringConvertible, Described {
    /// The kind, with all of it masked: `password(***)`.
    package var wording: String { self.content.description }
}
