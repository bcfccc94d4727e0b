// SPDX-License-Identifier: Apache-2.0
public import TernRequests
public import TernValues

/// The part of a server or a proxy that one credential is valid for (RFC 9110 §11.5).
///
/// A credential for one space is valid for every challenge with an equal space. The client does not answer a challenge
/// from another space with it. Before a challenge arrives, the space of a request is unknown: the client may send an
/// accepted credential with each request to the same server or proxy that the credential covers.
public struct ProtectionSpace: Hashable, Sendable {
    /// The server or the proxy that sent the challenge.
    public var origin: Origin
    /// Whether a proxy sent the challenge.
    public var isProxy: Bool
    /// The scheme of the challenge.
    public var scheme: AuthenticationScheme
    /// The realm, compared byte by byte; `nil` if the challenge names none.
    public var realm: String?

    /// Creates a protection space.
    ///
    /// - Parameters:
    ///   - origin: The server or the proxy that sent the challenge.
    ///   - isProxy: Whether a proxy sent the challenge. Defaults to `false`.
    ///   - scheme: The scheme of the challenge.
    ///   - realm: The realm. Defaults to `nil`, for a challenge without a realm.
    public init(origin: Origin, isProxy: Bool = false, scheme: AuthenticationScheme, realm: String? = nil) {
        self.origin = origin
        self.isProxy = isProxy
        self.scheme = scheme
        self.realm = realm
    }

    /// Creates the protection space of a challenge.
    ///
    /// - Parameters:
    ///   - origin: The server or the proxy that sent the challenge.
    ///   - isProxy: Whether the challenge came in `Proxy-Authenticate`. Defaults to `false`.
    ///   - challenge: The challenge.
    package init(origin: Origin, isProxy: Bool = false, challenge: HTTPChallenge) {
        self.init(origin: origin, isProxy: isProxy, scheme: challenge.scheme, realm: challenge.realm)
    }
}

extension ProtectionSpace: CustomStringConvertible, Described {
    /// The scheme, the realm and the server, such as `Basic "staff" of https://example.com:443`.
    package var wording: String {
        let realm = self.realm.map { " \(FieldText.quoted($0))" } ?? ""
        return "\(self.scheme)\(realm) of \(self.isProxy ? "the proxy " : "")\(self.origin)"
    }
}
