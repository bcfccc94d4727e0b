// SPDX-License-Identifier: Apache-2.0
public import TernRequests
public import TernValues

/// What one credential is good for: a server or a proxy, and what of it (RFC 9110 §11.5).
///
/// Two challenges whose spaces are equal can be answered with the same credential, and with no other's.
public struct ProtectionSpace: Hashable, Sendable {
    /// The server; for a proxy, the proxy itself.
    public var origin: Origin
    /// Whether it is a proxy that asks.
    public var isProxy: Bool
    /// The scheme of the challenge.
    public var scheme: AuthenticationScheme
    /// The realm, compared byte by byte; `nil` if the challenge names none.
    public var realm: String?

    /// Creates a protection space.
    ///
    /// - Parameters:
    ///   - origin: the server, or the proxy.
    ///   - isProxy: whether it is a proxy that asks; `false` by default.
    ///   - scheme: the scheme of the challenge.
    ///   - realm: the realm; `nil`, the default, if the challenge names none.
    public init(origin: Origin, isProxy: Bool = false, scheme: AuthenticationScheme, realm: String? = nil) {
        self.origin = origin
        self.isProxy = isProxy
        self.scheme = scheme
        self.realm = realm
    }

    /// Creates the protection space of a challenge.
    ///
    /// - Parameters:
    ///   - origin: the server that sent it, or the proxy.
    ///   - isProxy: whether it came in `Proxy-Authenticate`; `false` by default.
    ///   - challenge: the challenge.
    package init(origin: Origin, isProxy: Bool = false, challenge: HTTPChallenge) {
        self.init(origin: origin, isProxy: isProxy, scheme: challenge.scheme, realm: challenge.realm)
    }
}

extension ProtectionSpace: CustomStringConvertible, Described {
    /// Scheme, realm and server, such as `Basic "staff" of https://example.com:443`.
    package var wording: String {
        let realm = self.realm.map { " \(FieldText.quoted($0))" } ?? ""
        return "\(self.scheme)\(realm) of \(self.isProxy ? "the proxy " : "")\(self.origin)"
    }
}
