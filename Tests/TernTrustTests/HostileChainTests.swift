// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftASN1
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing
import X509

/// Tests chains that a hostile server may send.
@Suite("Hostile chains", .hangLimit)
struct HostileChainTests {
    private func trust(_ chain: [[UInt8]]) async throws -> ServerTrust {
        let evaluator = try TrustEvaluator(.only([.pemFile(path: CertificateMatrix.shared.rootFile)]))
        return await evaluator.evaluate(chain: chain, host: "localhost", at: TrustEvaluatorTests.time)
    }

    @Test func `no certificate at all`() async throws {
        let trust = try await self.trust([])
        #expect(trust.evaluation?.withoutDetails == .invalidCertificate(""))
        #expect(trust.leafPin == nil)
    }

    @Test func `more than 16 certificates`() async throws {
        let matrix = try CertificateMatrix.shared
        let (chain, above) = (try matrix.chain(.valid), try matrix.certificates(in: "intermediate.pem"))
        let most = chain + Array(repeating: above, count: 14).flatMap(\.self)
        #expect(try await self.trust(most).isTrusted)
        let trust = try await self.trust(most + above)
        #expect(trust.evaluation?.withoutDetails == .invalidCertificate(""))
        #expect(trust.leafPin == nil)
        #expect(throws: TLSFailure.self) { try trust.certificates() }
    }

    @Test func `more than 256 KiB`() async throws {
        let chain = try CertificateMatrix.shared.chain(.valid)
        let rest = (256 << 10) - chain.reduce(0) { $0 + $1.count }
        #expect(try await self.trust(chain + [[UInt8](repeating: 0x30, count: rest)]).isTrusted)
        let trust = try await self.trust(chain + [[UInt8](repeating: 0x30, count: rest + 1)])
        #expect(trust.evaluation?.withoutDetails == .invalidCertificate(""))
    }

    @Test func `a certificate that is cut off anywhere`() async throws {
        let chain = try CertificateMatrix.shared.chain(.valid)
        for count in 0..<chain[0].count {
            let trust = try await self.trust([Array(chain[0].prefix(count)), chain[1]])
            #expect(!trust.isTrusted)
            #expect(trust.leafPin == nil)
        }
    }

    @Test(arguments: [0, 1])
    func `a certificate with any byte changed`(_ index: Int) async throws {
        let evaluator = try TrustEvaluator(.only([.pemFile(path: CertificateMatrix.shared.rootFile)]))
        let chain = try CertificateMatrix.shared.chain(.valid)
        let unusedBits = try Self.unusedBitsOffset(in: chain[index])
        for offset in chain[index].indices where offset != unusedBits {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = chain
                changed[index][offset] ^= mask
                let trust = await evaluator.evaluate(chain: changed, host: "localhost", at: TrustEvaluatorTests.time)
                #expect(!trust.isTrusted, "byte \(offset), mask \(mask)")
            }
        }
    }

    /// Returns the offset of the number of unused bits in the signature's last byte.
    ///
    /// This number is not signed, and has no effect.
    private static func unusedBitsOffset(in certificate: [UInt8]) throws -> Int {
        guard case .constructed(let parts) = try DER.parse(certificate).content else { return 0 }
        let signature = try #require(Array(parts).last)
        // The number follows the type and the length, which is one byte because a P-256 signature is short.
        return signature.encodedBytes.startIndex + 2
    }

    @Test func `objects in each other without end`() async throws {
        let nested: [UInt8] = Array(repeating: [0x30, 0x80], count: 10_000).flatMap { $0 }
        var counted: [UInt8] = []
        for _ in 0..<60 where counted.count < 120 { counted = [0x30, UInt8(counted.count)] + counted }
        let endless: [UInt8] = [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]
        let overflowing: [UInt8] = [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8)
        for bytes in [nested, counted, endless, overflowing] {
            let trust = try await self.trust([bytes])
            #expect(trust.evaluation?.isTrust == true)
            #expect(trust.leafPin == nil)
        }
    }

    private static func key() throws -> Certificate.PrivateKey {
        let path = try CertificateMatrix.shared.file("client.key")
        return try Certificate.PrivateKey(pemEncoded: String(contentsOfFile: path, encoding: .utf8))
    }

    private static func certificate(
        subject: String,
        issuer: String,
        names: [String] = []
    ) throws -> [UInt8] {
        let key = try self.key()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: 2_000_000_000),
            issuer: DistinguishedName { CommonName(issuer) },
            subject: DistinguishedName { CommonName(subject) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                BasicConstraints.isCertificateAuthority(maxPathLength: nil)
                SubjectAlternativeNames(names.map { .dnsName($0) })
            },
            issuerPrivateKey: key
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    /// 15 certificates that all signed each other form 15! paths, and no path ends.
    @Test func `certificates that lead to each other in every order`() async throws {
        let leaf = try Self.certificate(subject: "localhost", issuer: "loop", names: ["localhost"])
        let others = try (0..<15).map { try Self.certificate(subject: "loop", issuer: "loop", names: ["\($0).test"]) }
        #expect(try await self.trust([leaf] + others).evaluation == .unknownRoot(issuer: "CN=loop"))
    }

    @Test func `an issuer whose name would spoil a log`() async throws {
        let issuer = "a\nb\u{1B}[31m\u{202E}\u{2028}" + String(repeating: "x", count: 10_000)
        let leaf = try Self.certificate(subject: "localhost", issuer: issuer)
        let expected = "CN=a?b?[31m??" + String(repeating: "x", count: 128 - 13)
        #expect(try await self.trust([leaf]).evaluation == .unknownRoot(issuer: expected))
    }
}
