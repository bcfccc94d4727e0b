// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The name of an authentication scheme.
///
/// Two names are equal if they differ only in the case of ASCII letters (RFC 9110 §11.1: "a case-insensitive token").
/// The schemes of HTTP are named as in its fields; the two of TLS have names of their own, so that one delegate method
/// can be asked about all of them.
public struct AuthenticationScheme: RawRepresentable, Hashable, Sendable {
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

    /// The name: that of a registered scheme as it is written there, of another one in lower case.
    public let rawValue: String

    /// Creates a scheme from its name.
    ///
    /// - Parameter rawValue: The name, in whichever case.
    public init(rawValue: String) {
        let lowercased = FieldText.lowercased(rawValue)
        self.rawValue = Self.names[lowercased] ?? lowercased
    }

    /// The names in IANA's registry, and NTLM, by their form in lower case.
    private static let names = Dictionary(
        uniqueKeysWithValues: [
            "Basic", "Bearer", "Concealed", "Digest", "DPoP", "GNAP", "HOBA", "Mutual", "Negotiate", "NTLM", "OAuth",
            "PrivateToken", "SCRAM-SHA-1", "SCRAM-SHA-256", "ServerTrust", "ClientCertificate",
        ].map { (FieldText.lowercased($0), $0) }
    )
}

extension AuthenticationScheme: CustomStringConvertible, Described {
    /// The name.
    package var wording: String { self.rawValue }
}
