// SPDX-License-Identifier: Apache-2.0
public import TernRequests

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
    public init(origin: Origin, isProxy: Bool = false, challenge: HTTPChallenge) {
        self.init(origin: origin, isProxy: isProxy, scheme: challenge.scheme, realm: challenge.realm)
    }
}

extension ProtectionSpace: CustomStringConvertible {
    /// Scheme, realm and server, such as `Basic "staff" of https://example.com:443`.
    public var description: String {
        let realm = self.realm.map { " \(FieldText.quoted($0))" } ?? ""
        return "\(self.scheme)\(realm) of \(self.isProxy ? "the proxy " : "")\(self.origin)"
    }
}

/// The name of an authentication scheme.
///
/// Two names are equal if they differ only in the case of ASCII letters (RFC 9110 §11.1: "a case-insensitive token").
/// The schemes of HTTP are named as in its fields; the two of TLS have names of their own, so that one delegate method
/// can be asked about all of them.
public struct AuthenticationScheme: RawRepresentable, Sendable {
    /// A name and a password, as good as in the clear (RFC 7617).
    public static let basic = AuthenticationScheme(rawValue: "Basic")
    /// A name and the proof of knowing a password (RFC 7616).
    public static let digest = AuthenticationScheme(rawValue: "Digest")
    /// A token that is valid for any bearer (RFC 6750).
    public static let bearer = AuthenticationScheme(rawValue: "Bearer")
    /// TLS: whether to trust the certificates of a server.
    public static let serverTrust = AuthenticationScheme(rawValue: "ServerTrust")
    /// TLS: a certificate of the client's, for which a server asks.
    public static let clientCertificate = AuthenticationScheme(rawValue: "ClientCertificate")

    /// The name as it was given.
    public let rawValue: String

    /// Creates a scheme from its name.
    ///
    /// - Parameter rawValue: the name; kept as it is, compared without case.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension AuthenticationScheme: Hashable {
    /// Whether two names differ at most in the case of ASCII letters.
    public static func == (first: AuthenticationScheme, second: AuthenticationScheme) -> Bool {
        FieldText.lowercased(first.rawValue) == FieldText.lowercased(second.rawValue)
    }

    /// Feeds the name in lower case.
    ///
    /// - Parameter hasher: what it is fed to.
    public func hash(into hasher: inout Hasher) { hasher.combine(FieldText.lowercased(self.rawValue)) }
}

extension AuthenticationScheme: CustomStringConvertible {
    /// The name.
    public var description: String { self.rawValue }
}
