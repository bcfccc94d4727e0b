// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// A certificate chain with its private key, which identifies the client (RFC 8446 §4.4.2).
///
/// The client reads files only when it opens a connection. No description contains the key or a passphrase.
public struct ClientIdentity: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case pem(certificates: String, privateKey: String, passphrase: String?)
        case pemFiles(certificates: String, privateKey: String, passphrase: String?)
        case pkcs12([UInt8], passphrase: String?)
        case pkcs12File(path: String, passphrase: String?)
    }

    private let concealedContent: Concealed<Content>

    package var content: Content { self.concealedContent.value }

    private init(_ content: Content) { self.concealedContent = Concealed(content) }

    /// Creates an identity from PEM texts.
    ///
    /// - Parameters:
    ///   - certificates: The client's certificate, followed by the intermediate certificates, without the root.
    ///   - privateKey: The private key, which may be encrypted.
    ///   - passphrase: The passphrase of the key; `nil` if it is not encrypted.
    /// - Returns: The identity.
    public static func pem(certificates: String, privateKey: String, passphrase: String? = nil) -> ClientIdentity {
        ClientIdentity(.pem(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
    }

    /// Creates an identity from the paths of PEM files; both may name the same file.
    ///
    /// The files contain the texts for `pem(certificates:privateKey:passphrase:)`.
    public static func pemFiles(certificates: String, privateKey: String, passphrase: String? = nil) -> ClientIdentity {
        ClientIdentity(.pemFiles(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
    }

    /// Creates an identity from the content of a `.p12` or `.pfx` file (PKCS#12, RFC 7292); without encryption, `passphrase` is
    /// `nil`.
    public static func pkcs12(_ bytes: [UInt8], passphrase: String?) -> ClientIdentity {
        ClientIdentity(.pkcs12(bytes, passphrase: passphrase))
    }

    /// Creates an identity from the path of a `.p12` or `.pfx` file (PKCS#12, RFC 7292); without encryption, `passphrase` is `nil`.
    public static func pkcs12File(_ path: String, passphrase: String?) -> ClientIdentity {
        ClientIdentity(.pkcs12File(path: path, passphrase: passphrase))
    }
}

extension ClientIdentity: CustomStringConvertible, Described {
    package var wording: String {
        switch self.content {
        case .pem: "ClientIdentity(pem: ***)"
        case .pemFiles(let certificates, let privateKey, _):
            "ClientIdentity(certificates: \(certificates), privateKey: \(privateKey), passphrase: ***)"
        case .pkcs12: "ClientIdentity(pkcs12: ***)"
        case .pkcs12File(let path, _): "ClientIdentity(pkcs12: \(path), passphrase: ***)"
        }
    }
}
