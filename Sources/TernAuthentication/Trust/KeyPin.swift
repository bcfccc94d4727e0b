// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import TernFoundation
internal import TernRequests
public import TernValues

/// The fingerprint of a public key: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4).
///
/// A renewed certificate with the same key has the same pin. This command prints it, for ``init(base64:)``:
///
/// ```sh
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der \
///   | openssl dgst -sha256 -binary | base64
/// ```
public struct KeyPin: Hashable, Sendable {
    private static let digestByteCount = 32
    private static let prefix = "sha256/"

    /// The digest: 32 bytes.
    package let sha256: [UInt8]

    /// Creates a pin from a SHA-256 digest; throws ``PinError/malformedPin`` if it does not have 32 bytes.
    public init(sha256 digest: [UInt8]) throws(PinError) {
        guard digest.count == Self.digestByteCount else { throw .malformedPin }
        self.sha256 = digest
    }

    /// Creates a pin from a digest in base64.
    ///
    /// - Parameter text: The digest in base64 (RFC 4648 §4, with padding), with or without the prefix `sha256/`.
    /// - Throws: ``PinError/malformedPin`` if the text is not such a digest.
    public init(base64 text: String) throws(PinError) {
        let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let data = Data(base64Encoded: digits) else { throw .malformedPin }
        try self.init(sha256: [UInt8](data))
    }

    /// Takes the DER form (RFC 5280 §4.1.2.7).
    package init(subjectPublicKeyInfo bytes: some Sequence<UInt8>) {
        self.sha256 = Array(SHA256.hash(data: Array(bytes)))
    }
}

extension KeyPin: CustomStringConvertible, Described {
    package var wording: String { Self.prefix + Data(self.sha256).base64EncodedString() }
}
