// SPDX-License-Identifier: Apache-2.0
public import TernRequests
public import TernValues

/// The part of a server or a proxy that one credential is valid for (RFC 9110 §11.5).
///
/// The client asks its ``CredentialStore`` for the credential of a space.
public struct ProtectionSpace: Hashable, Sendable {
    /// The server or the proxy that sent the challenge.
    public var origin: Origin
    /// Whether a proxy sent the challenge; for TLS, the client sets `false`.
    public var isProxy: Bool
    /// The scheme of the challenge.
    public var scheme: AuthenticationScheme
    /// The realm, in which letter case matters; `nil` if the challenge names none.
    public var realm: String?

    /// Creates a protection space; pass `nil` for the realm of a challenge that names none.
    public init(origin: Origin, isProxy: Bool = false, scheme: AuthenticationScheme, realm: String? = nil) {
        self.origin = origin
        self.isProxy = isProxy
        self.scheme = scheme
        self.realm = realm
    }

    package init(origin: Origin, isProxy: Bool = false, challenge: HTTPChallenge) {
        self.init(origin: origin, isProxy: isProxy, scheme: challenge.scheme, realm: challenge.realm)
    }
}

extension ProtectionSpace: CustomStringConvertible, Described {
    package var wording: String {
        let realm = self.realm.map { " \(FieldText.quoted($0))" } ?? ""
        return "\(self.scheme)\(realm) of \(self.isProxy ? "the proxy " : "")\(self.origin)"
    }
}
