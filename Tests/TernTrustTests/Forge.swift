// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftASN1
import TernAuthentication
import TestSupport
import X509

@testable import TernTrust

/// Creates certificates that tools refuse to create, because it changes their content before it signs them.
struct Forge {
    private let key: Certificate.PrivateKey

    /// Creates a forge with a key of the matrix, which signs all its certificates.
    init(keyFile: String = "client.key") throws {
        let path = try CertificateMatrix.shared.file(keyFile)
        self.key = try Certificate.PrivateKey(pemEncoded: String(contentsOfFile: path, encoding: .utf8))
    }

    /// The faults of a certificate; by default, it has none.
    struct Faults {
        /// The encoded content of the serial number; `nil` for the number 1.
        var serialNumber: [UInt8]?
        /// The algorithm that the signed part names.
        ///
        /// The actual signature always uses ECDSA with SHA-256.
        var algorithm = Certificate.SignatureAlgorithm.ecdsaWithSHA256
        /// Whether the key is on an unsupported curve.
        var hasStrangeKey = false
        /// Whether the certificate expired in 2001.
        var isExpired = false
    }

    /// Returns a certificate in DER form.
    ///
    /// A certificate whose subject is its issuer is a root.
    ///
    /// The certificate is for the key of `holder`, which defaults to this forge.
    func certificate(
        _ subject: String,
        by issuer: String,
        _ faults: Faults = Faults(),
        for holder: Forge? = nil,
        @ExtensionsBuilder _ extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> [UInt8] {
        let subject = try DistinguishedName { if !subject.isEmpty { CommonName(subject) } }
        let issuer = try DistinguishedName { CommonName(issuer) }
        return try self.certificate(
            subject,
            by: issuer,
            faults,
            for: holder,
            extensions: Certificate.Extensions(builder: extensions)
        )
    }

    func certificate(
        _ subject: DistinguishedName,
        by issuer: DistinguishedName,
        _ faults: Faults = Faults(),
        for holder: Forge? = nil,
        extensions: Certificate.Extensions
    ) throws -> [UInt8] {
        let template = try Certificate(
            version: .v3,
            serialNumber: .init(bytes: [1]),
            publicKey: (holder ?? self).key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: faults.isExpired ? 1_000_000_000 : 2_000_000_000),
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: faults.algorithm,
            extensions: extensions,
            issuerPrivateKey: self.key
        )
        var signed = Array(template.tbsCertificateBytes)
        if let number = faults.serialNumber { signed = try Self.replacingSerialNumber(of: signed, by: number) }
        if faults.hasStrangeKey {
            let curve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01]
            if let place = signed.firstRange(of: curve + [7]) { signed.replaceSubrange(place, with: curve + [1]) }
        }
        let signature = try self.key.sign(bytes: signed, signatureAlgorithm: .ecdsaWithSHA256)
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { certificate in
            certificate.serializeRawBytes(signed)
            try certificate.appendConstructedNode(identifier: .sequence) { algorithm in
                try algorithm.serialize(ASN1ObjectIdentifier(dotRepresentation: "1.2.840.10045.4.3.2"))
            }
            try certificate.serialize(ASN1BitString(bytes: signature.rawRepresentation[...]))
        }
        return serializer.serializedBytes
    }

    /// Returns the evaluation of a chain for `localhost`.
    static func trust(
        _ chain: [[UInt8]],
        roots: [[UInt8]],
        pinSets: [PinSet] = []
    ) async throws -> ServerTrust {
        let policy = TrustPolicy(roots: .only(roots.map { .der($0) }), pinSets: pinSets)
        return await (try TrustEvaluator(policy)).evaluate(
            chain: chain,
            host: "localhost",
            at: TrustEvaluatorTests.time
        )
    }

    private static func replacingSerialNumber(of signed: [UInt8], by number: [UInt8]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        let fields = try DER.parse(signed).children
        serializer.appendConstructedNode(identifier: .sequence) { coder in
            for (index, field) in fields.enumerated() {
                // The serial number follows the version.
                if index == 1 {
                    coder.appendPrimitiveNode(identifier: .integer) { $0 += number }
                } else {
                    coder.serializeRawBytes(field.encodedBytes)
                }
            }
        }
        return serializer.serializedBytes
    }
}

/// A root, an authority below it, and a server's certificate, each of which may have faults.
struct ForgedChain {
    /// The certificates that the server sends.
    var sent: [[UInt8]]
    var root: [UInt8]

    init(
        _ names: [GeneralName] = [.dnsName("localhost")],
        constraints: NameConstraints? = nil,
        root rootFaults: Forge.Faults = .init(),
        authority authorityFaults: Forge.Faults = .init(),
        leaf leafFaults: Forge.Faults = .init(),
        subject: String = "server",
        rootExtensions: [Certificate.Extension] = [],
        authorityExtensions: [Certificate.Extension] = [],
        leafExtensions: [Certificate.Extension] = []
    ) throws {
        let forge = try Forge()
        self.root = try forge.certificate("forged root", by: "forged root", rootFaults) {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
            try Certificate.Extensions(rootExtensions)
        }
        let authority = try forge.certificate("forged authority", by: "forged root", authorityFaults) {
            BasicConstraints.isCertificateAuthority(maxPathLength: 0)
            if let constraints { Critical(constraints) }
            try Certificate.Extensions(authorityExtensions)
        }
        let leaf = try forge.certificate(subject, by: "forged authority", leafFaults) {
            SubjectAlternativeNames(names)
            try Certificate.Extensions(leafExtensions)
        }
        self.sent = [leaf, authority]
    }

    func evaluation(host: String = "localhost") async throws -> ServerTrust {
        let evaluator = try TrustEvaluator(.only([.der(self.root)]))
        return await evaluator.evaluate(chain: self.sent, host: host, at: TrustEvaluatorTests.time)
    }
}
