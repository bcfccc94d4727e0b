// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication

extension Pin {
    /// The fields of a certificate before its key, without the version, which may be missing (RFC 5280 §4.1): serial number,
    /// signature, issuer, validity and subject.
    private static let fieldCountBeforeKey = 5

    /// Creates the pin of the key in a certificate; `nil` if it is none.
    ///
    /// The key's bytes are taken from the certificate as they are, for another form of the same key has another digest.
    ///
    /// - Parameter der: the certificate in DER form.
    public init?(certificate der: [UInt8]) {
        guard let certificate = try? DER.parse(der), let signed = certificate.children.first else { return nil }
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let fields = signed.children.drop { $0.identifier == version }.dropFirst(Self.fieldCountBeforeKey)
        guard let key = fields.first, key.identifier == .sequence else { return nil }
        self.init(subjectPublicKeyInfo: key.encodedBytes)
    }
}

extension ASN1Node {
    fileprivate var children: [ASN1Node] {
        if case .constructed(let nodes) = self.content { Array(nodes) } else { [] }
    }
}
