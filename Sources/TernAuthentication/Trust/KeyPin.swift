// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import TernFoundation
internal import TernRequests
public import TernValues

/// The fingerprint of a public key: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4).
///
/// A key outlives its certificates: a renewed certificate with the same key has the same pin. This command prints the
/// pin of a certificate's key in base64, for ``init(base64:)``:
///
/// ```sh
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
public struct KeyPin: Hashable, Sendable {
    /// The length of a SHA-256 digest.
    private static let digestByteCount = 32
    private static let prefix = "sha256/"

    /// The digest: 32 bytes.
    public let sha256: [UInt8]

    /// Creates a pin from a digest.
    ///
    /// - Parameter digest: The SHA-256 digest of a SubjectPublicKeyInfo in DER form.
    /// - Throws: ``PinError/malformedPin`` if the digest does not have 32 bytes.
    public init(sha256 digest: [UInt8]) throws(PinError) {
        guard digest.count == Self.digestByteCount else { throw .malformedPin }
        self.sha256 = digest
    }

    /// Creates a pin from the usual notation, as in curl, Android and Apple's platforms.
    ///
    /// - Parameter text: The digest in base64 (RFC 4648 §4, with padding), with or without the prefix `sha256/`.
    /// - Throws: ``PinError/malformedPin`` if the text is not such a digest.
    public init(base64 text: String) throws(PinError) {
        let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let data = Data(base64Encoded: digits) else { throw .malformedPin }
        try self.init(sha256: [UInt8](data))
    }

    /// Creates the pin of a key.
    ///
    /// - Parameter bytes: The key's SubjectPublicKeyInfo in DER form (RFC 5280 §4.1.2.7).
    package init(subjectPublicKeyInfo bytes: some Sequence<UInt8>) {
        self.sha256 = Array(SHA256.hash(data: Array(bytes)))
    }
}

extension KeyPin: CustomStringConvertible, Described {
    /// The usual notation: `sha256/`, followed by the digest in base64.
    package var wording: String { Self.prefix + Data(self.sha256).base64EncodedString() }
}
