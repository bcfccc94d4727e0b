// SPDX-License-Identifier: Apache-2.0
import CryptoExtras
import SwiftASN1
import TernFoundation
import X509

/// A certificate as received, with the fields that X509 reads from it.
///
/// X509 refuses a negative serial number. RFC 5280 §4.1.2.2: "Non-conforming CAs may issue certificates with serial
/// numbers that are negative or zero. Certificate users SHOULD be prepared to gracefully handle such certificates."
/// Tern does not use the number. If the number is negative, Tern gives X509 a copy of the certificate with another
/// number. X509 also refuses signatures with RSASSA-PSS, so the copy names another algorithm. Signatures are verified
/// over the received bytes, with the algorithm that they name.
struct ParsedCertificate: Sendable {
    /// The fields that X509 reads.
    ///
    /// Only the serial number and the signature algorithm may differ from the received certificate.
    let fields: Certificate
    /// The received bytes.
    let der: [UInt8]
    let issuer: EncodedName
    let subject: EncodedName
    /// Whether the two fields that name the signature algorithm agree.
    ///
    /// RFC 5280 §4.1.1.2: "This field MUST contain the same algorithm identifier as the signature field in the sequence
    /// tbsCertificate". The signature covers the inner field, but not the outer one.
    let namesOneAlgorithm: Bool
    private let signedBytes: ArraySlice<UInt8>
    private let signature: ArraySlice<UInt8>
    /// The algorithm of the signature if it is RSASSA-PSS; otherwise X509 knows the algorithm.
    private let pssSignature: PSSSignature?

    /// Parses a certificate.
    ///
    /// - Parameter der: The certificate in DER form.
    /// - Throws: The reason that the certificate cannot be read.
    init(_ der: [UInt8]) throws(CertificateParsingError) {
        do {
            let outline = try CertificateOutline(der)
            self.pssSignature = PSSSignature(outline.outerAlgorithm)
            self.fields = try Certificate(
                derEncoded: outline.readableCopy(hidesAlgorithm: self.pssSignature != nil) ?? der
            )
            self.signature = try ASN1BitString(derEncoded: outline.signature).bytes
            self.signedBytes = outline.signed.encodedBytes
            self.namesOneAlgorithm = outline.innerAlgorithm.encodedBytes == outline.outerAlgorithm.encodedBytes
            self.der = der
            (self.issuer, self.subject) = (outline.issuer, outline.subject)
        } catch let error as CertificateError where error.code == .unsupportedPublicKeyAlgorithm {
            throw .unsupportedKey
        } catch let error as CertificateError where error.code == .unsupportedSignatureAlgorithm {
            throw .unsupportedSignature
        } catch {
            throw .malformed
        }
    }

    /// Whether all critical extensions are supported (RFC 5280 §4.2).
    var isUnderstood: Bool {
        self.fields.extensions.allSatisfy { !$0.critical || CertificateJudge.understoodExtensions.contains($0.oid) }
    }

    /// Returns whether the key of this certificate signed another certificate.
    func signed(_ other: ParsedCertificate) -> Bool {
        if let pss = other.pssSignature {
            guard let key = _RSA.Signing.PublicKey(self.fields.publicKey) else { return false }
            return pss.isValid(other.signature, for: other.signedBytes, by: key)
        }
        return self.fields.publicKey.isValidSignature(
            other.signature,
            for: other.signedBytes,
            signatureAlgorithm: other.fields.signatureAlgorithm
        )
    }

    /// Returns whether the other certificate names this one as its issuer, and the key of this one signed it.
    func issued(_ other: ParsedCertificate) -> Bool {
        self.subject == other.issuer && self.signed(other)
    }
}

/// The name of an issuer or a subject in DER form.
///
/// Tern compares names as bytes, as Go and NSS do. RFC 5280 §7.1 would also equate some different encodings of one name,
/// which authorities avoid: they copy the subject of the issuer's certificate.
typealias EncodedName = ArraySlice<UInt8>

extension ParsedCertificate: Hashable {
    static func == (one: ParsedCertificate, other: ParsedCertificate) -> Bool { one.der == other.der }

    func hash(into hasher: inout Hasher) { hasher.combine(self.der) }
}

/// The reason that a certificate cannot be read.
enum CertificateParsingError: Error {
    /// The key is not RSA, P-256, P-384, P-521 or Ed25519, or is malformed.
    case unsupportedKey
    /// The signature uses an algorithm other than RSA, ECDSA and Ed25519, or RSASSA-PSS with unusual parameters.
    case unsupportedSignature
    /// The bytes are not a certificate.
    case malformed

    /// The problem, as the end of a sentence about the certificate, such as "is malformed".
    var reason: String {
        switch self {
        case .unsupportedKey: "has an unsupported kind of key"
        case .unsupportedSignature: "has an unsupported signature algorithm"
        case .malformed: "is malformed"
        }
    }
}

/// The parts of a certificate as received (RFC 5280 §4.1).
struct CertificateOutline {
    let signed: ASN1Node
    let innerAlgorithm: ASN1Node
    let outerAlgorithm: ASN1Node
    let signature: ASN1Node
    let issuer: EncodedName
    let subject: EncodedName
    private let fields: [ASN1Node]
    private let serialNumberIndex: Int

    /// Splits a certificate in DER form into its parts.
    init(_ der: [UInt8]) throws(CertificateParsingError) {
        guard let parts = try? DER.parse(der).children, parts.count == 3 else { throw .malformed }
        (self.signed, self.outerAlgorithm, self.signature) = (parts[0], parts[1], parts[2])
        self.fields = self.signed.children
        // The version is the first field, and is optional.
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        self.serialNumberIndex = self.fields.first?.identifier == version ? 1 : 0
        // Serial number, signature, issuer, validity, subject.
        let named = self.fields.dropFirst(self.serialNumberIndex).prefix(5)
        guard named.count == 5 else { throw .malformed }
        self.innerAlgorithm = named[named.startIndex + 1]
        self.issuer = named[named.startIndex + 2].encodedBytes
        self.subject = named[named.startIndex + 4].encodedBytes
    }

    /// Returns a copy of the certificate that X509 can read: with a positive serial number if its own number is
    /// negative, and with another signature algorithm.
    ///
    /// - Parameter hidesAlgorithm: Whether the copy names another algorithm.
    /// - Returns: The copy; `nil` if nothing has to change.
    func readableCopy(hidesAlgorithm: Bool) -> [UInt8]? {
        let hidesNumber = self.hasReplaceableSerialNumber
        guard hidesNumber || hidesAlgorithm else { return nil }
        let algorithm = hidesAlgorithm ? PSSSignature.readableAlgorithm[...] : self.outerAlgorithm.encodedBytes
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .sequence) { certificate in
            certificate.appendConstructedNode(identifier: .sequence) { signed in
                for (index, field) in self.fields.enumerated() {
                    if hidesNumber, index == self.serialNumberIndex {
                        signed.appendPrimitiveNode(identifier: .integer) { $0.append(1) }
                    } else if hidesAlgorithm, index == self.serialNumberIndex + 1 {
                        signed.serializeRawBytes(algorithm)
                    } else {
                        signed.serializeRawBytes(field.encodedBytes)
                    }
                }
            }
            certificate.serializeRawBytes(algorithm)
            certificate.serializeRawBytes(self.signature.encodedBytes)
        }
        return serializer.serializedBytes
    }

    /// Whether the serial number is negative, and its encoding is valid.
    private var hasReplaceableSerialNumber: Bool {
        let number = self.fields[self.serialNumberIndex]
        guard number.identifier == .integer, case .primitive(let bytes) = number.content, bytes.first ?? 0 >= 0x80
        else { return false }
        // X.690 §8.3.2: the first nine bits "shall not all be ones"; the TLS library also refuses a number that breaks
        // this rule.
        return bytes.first != 0xFF || bytes.dropFirst().first ?? 0 < 0x80
    }
}

extension ASN1Node {
    /// The child nodes; empty if the node is primitive.
    var children: [ASN1Node] {
        if case .constructed(let nodes) = self.content { Array(nodes) } else { [] }
    }
}
