// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// A certificate chain and its private key, by which a client says who it is (RFC 8446 §4.4.2).
///
/// Nothing is read before a connection needs it. Neither the key nor a passphrase is part of any description.
public struct ClientIdentity: Hashable, Sendable {
    /// Where chain and key are.
    package enum Content: Hashable, Sendable {
        case pem(certificates: String, privateKey: String, passphrase: String?)
        case pemFiles(certificates: String, privateKey: String, passphrase: String?)
        case pkcs12([UInt8], passphrase: String?)
        case pkcs12File(path: String, passphrase: String?)
    }

    private let concealedContent: Concealed<Content>

    /// Where chain and key are.
    package var content: Content { self.concealedContent.value }

    private init(_ content: Content) { self.concealedContent = Concealed(content) }

    /// An identity as PEM texts.
    ///
    /// - Parameters:
    ///   - certificates: the client's certificate, then those above it, without the root.
    ///   - privateKey: the private key; it may be encrypted.
    ///   - passphrase: what the key is encrypted with; `nil`, the default, if it is not.
    /// - Returns: the identity, not read yet.
    public static func pem(certificates: String, privateKey: String, passphrase: String? = nil) -> ClientIdentity {
        ClientIdentity(.pem(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
    }

    /// An identity in PEM files.
    ///
    /// - Parameters:
    ///   - certificates: the path of the client's certificate, and those above it, without the root.
    ///   - privateKey: the path of the private key, which may be encrypted; both may be in one file.
    ///   - passphrase: what the key is encrypted with; `nil`, the default, if it is not.
    /// - Returns: the identity, not read yet.
    public static func pemFiles(certificates: String, privateKey: String, passphrase: String? = nil) -> ClientIdentity {
        ClientIdentity(.pemFiles(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
    }

    /// An identity in PKCS#12 form (RFC 7292).
    ///
    /// - Parameters:
    ///   - bytes: the content of a `.p12` or `.pfx` file.
    ///   - passphrase: what it is encrypted with; `nil` if it is not.
    /// - Returns: the identity, not read yet.
    public static func pkcs12(_ bytes: [UInt8], passphrase: String?) -> ClientIdentity {
        ClientIdentity(.pkcs12(bytes, passphrase: passphrase))
    }

    /// An identity in a file of PKCS#12 form (RFC 7292).
    ///
    /// - Parameters:
    ///   - path: the path of a `.p12` or `.pfx` file.
    ///   - passphrase: what it is encrypted with; `nil` if it is not.
    /// - Returns: the identity, not read yet.
    public static func pkcs12File(_ path: String, passphrase: String?) -> ClientIdentity {
        ClientIdentity(.pkcs12File(path: path, passphrase: passphrase))
    }
}

extension ClientIdentity: CustomStringConvertible, Described {
    /// The form and the path; key and passphrase are masked.
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
