// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// A certificate chain with its private key, which identifies the client (RFC 8446 §4.4.2).
///
/// The client reads files only when a connection needs them. No description contains the key or a passphrase.
public struct ClientIdentity: Hashable, Sendable {
    /// The source of the chain and the key.
    package enum Content: Hashable, Sendable {
        case pem(certificates: String, privateKey: String, passphrase: String?)
        case pemFiles(certificates: String, privateKey: String, passphrase: String?)
        case pkcs12([UInt8], passphrase: String?)
        case pkcs12File(path: String, passphrase: String?)
    }

    private let concealedContent: Concealed<Content>

    /// The source of the chain and the key.
    package var content: Content { self.concealedContent.value }

    private init(_ content: Content) { self.concealedContent = Concealed(content) }

    /// Creates an identity from PEM texts.
    ///
    /// - Parameters:
    ///   - certificates: The client's certificate, followed by the intermediate certificates, without the root.
    ///   - privateKey: The private key, which may be encrypted.
    ///   - passphrase: The passphrase of the key. Defaults to `nil`, for a key that is not encrypted.
    /// - Returns: The identity. The client reads the certificate and the key only when a connection needs them.
    public static func pem(certificates: String, privateKey: String, passphrase: String? = nil) -> ClientIdentity {
        ClientIdentity(.pem(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
    }

    /// Creates an identity from PEM files.
    ///
    /// - Parameters:
    ///   - certificates: The path of a file with the client's certificate, followed by the intermediate certificates,
    ///     without the root.
    ///   - privateKey: The path of a file with the private key, which may be encrypted. The file may be the same as for
    ///     `certificates`.
    ///   - passphrase: The passphrase of the key. Defaults to `nil`, for a key that is not encrypted.
    /// - Returns: The identity. The client reads the certificate and the key only when a connection needs them.
    public static func pemFiles(certificates: String, privateKey: String, passphrase: String? = nil) -> ClientIdentity {
        ClientIdentity(.pemFiles(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
    }

    /// Creates an identity from PKCS#12 data (RFC 7292).
    ///
    /// - Parameters:
    ///   - bytes: The content of a `.p12` or `.pfx` file.
    ///   - passphrase: The passphrase; `nil` if the data is not encrypted.
    /// - Returns: The identity. The client reads the certificate and the key only when a connection needs them.
    public static func pkcs12(_ bytes: [UInt8], passphrase: String?) -> ClientIdentity {
        ClientIdentity(.pkcs12(bytes, passphrase: passphrase))
    }

    /// Creates an identity from a PKCS#12 file (RFC 7292).
    ///
    /// - Parameters:
    ///   - path: The path of a `.p12` or `.pfx` file.
    ///   - passphrase: The passphrase; `nil` if the file is not encrypted.
    /// - Returns: The identity. The client reads the certificate and the key only when a connection needs them.
    public static func pkcs12File(_ path: String, passphrase: String?) -> ClientIdentity {
        ClientIdentity(.pkcs12File(path: path, passphrase: passphrase))
    }
}

extension ClientIdentity: CustomStringConvertible, Described {
    /// The form and the path; the key and the passphrase are masked.
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
