// SPDX-License-Identifier: Apache-2.0
import CryptoExtras
import SwiftASN1
import TernFoundation
import X509

/// A certificate as received, with the fields that X509 reads from it, or from a readable copy.
///
/// X509 refuses RSASSA-PSS and a negative serial number. RFC 5280 §4.1.2.2: "Certificate users SHOULD be prepared to gracefully
/// handle such certificates." Tern does not use the number, and verifies signatures over the received bytes.
struct ParsedCertificate: Sendable {
    let fields: Certificate
    let der: [UInt8]
    let issuer: EncodedName
    let subject: EncodedName
    /// Whether both fields have "the same algorithm identifier" (RFC 5280 §4.1.1.2), of which the signature covers one.
    let namesOneAlgorithm: Bool
    private let signedBytes: ArraySlice<UInt8>
    private let signature: ArraySlice<UInt8>
    private let pssSignature: PSSSignature?

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

/// The name of an issuer or a subject in DER form, compared as bytes, as in Go and NSS, not by RFC 5280 §7.1.
typealias EncodedName = ArraySlice<UInt8>

extension ParsedCertificate: Hashable {
    static func == (one: ParsedCertificate, other: ParsedCertificate) -> Bool { one.der == other.der }

    func hash(into hasher: inout Hasher) { hasher.combine(self.der) }
}

enum CertificateParsingError: Error {
    /// The key is not RSA, P-256, P-384, P-521 or Ed25519, or has unusual parameters.
    case unsupportedKey
    /// The algorithm of the signature is not RSA, ECDSA or Ed25519, or has an unusual hash function or unusual parameters.
    case unsupportedSignature
    case malformed

    var reason: String {
        switch self {
        case .unsupportedKey: "has an unsupported kind of key"
        case .unsupportedSignature: "has an unsupported signature algorithm"
        case .malformed: "is malformed"
        }
    }
}

struct CertificateOutline {
    let signed: ASN1Node
    let innerAlgorithm: ASN1Node
    let outerAlgorithm: ASN1Node
    let signature: ASN1Node
    let issuer: EncodedName
    let subject: EncodedName
    private let fields: [ASN1Node]
    private let serialNumberIndex: Int

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

    /// Returns a copy that X509 can read, with another serial number or algorithm; `nil` if nothing has to change.
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
    var children: [ASN1Node] {
        if case .constructed(let nodes) = self.content { Array(nodes) } else { [] }
    }
}
