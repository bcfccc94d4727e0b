// SPDX-License-Identifier: Apache-2.0

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
