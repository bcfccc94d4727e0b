// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The name of an authentication scheme, compared without case (RFC 9110 §11.1).
///
/// TLS has no names for its two kinds of authentication, so Tern defines them: ``serverTrust`` and ``clientCertificate``.
public struct AuthenticationScheme: RawRepresentable, Hashable, Sendable {
    /// Sends the user name and password practically in clear text (RFC 7617).
    public static let basic = AuthenticationScheme(rawValue: "Basic")
    /// Sends the user name or its hash, and a proof that the client knows the password (RFC 7616).
    public static let digest = AuthenticationScheme(rawValue: "Digest")
    /// Sends a token that anyone who has it can use (RFC 6750).
    public static let bearer = AuthenticationScheme(rawValue: "Bearer")
    /// TLS: the client decides whether to trust a server's certificates.
    public static let serverTrust = AuthenticationScheme(rawValue: "ServerTrust")
    /// TLS: the server asks for a certificate of the client.
    public static let clientCertificate = AuthenticationScheme(rawValue: "ClientCertificate")

    /// The name, in its usual spelling if Tern knows the scheme, otherwise in lower case.
    public let rawValue: String

    /// Creates a scheme from its name, in any case.
    public init(rawValue: String) {
        let lowercased = FieldText.lowercased(rawValue)
        self.rawValue = Self.names[lowercased] ?? lowercased
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: [
            "Basic", "Bearer", "Concealed", "Digest", "DPoP", "GNAP", "HOBA", "Mutual", "Negotiate", "NTLM", "OAuth",
            "PrivateToken", "SCRAM-SHA-1", "SCRAM-SHA-256", "ServerTrust", "ClientCertificate",
        ].map { (FieldText.lowercased($0), $0) }
    )
}

extension AuthenticationScheme: CustomStringConvertible, Described {
    package var wording: String { self.rawValue }
}
