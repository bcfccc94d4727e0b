// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing
import X509

/// A row of the certificate matrix, and its expected evaluation.
struct MatrixCase: CustomTestStringConvertible, Sendable {
    var row: CertificateMatrix.Row
    var host = "localhost"
    var expected: TLSFailure?

    init(_ row: CertificateMatrix.Row, host: String = "localhost", _ expected: TLSFailure?) {
        (self.row, self.host, self.expected) = (row, host, expected)
    }

    var testDescription: String { "\(self.row.rawValue) for \(self.host)" }
}

@Suite("TrustEvaluator", .hangLimit)
struct TrustEvaluatorTests {
    /// The first of January 2026.
    static let time = Date(timeIntervalSince1970: 1_767_225_600)

    static let rows: [MatrixCase] = [
        MatrixCase(.valid, nil), MatrixCase(.expired, .certificateExpired()),
        MatrixCase(.expiredAbove, .certificateExpired()), MatrixCase(.notYetValid, .certificateNotYetValid()),
        MatrixCase(.wrongHost, .wrongHost()), MatrixCase(.wrongHostAndExpired, .wrongHost()),
        MatrixCase(.selfSigned, .selfSigned), MatrixCase(.unknownRoot, .unknownRoot(issuer: "CN=Tern test other")),
        MatrixCase(.incompleteChain, .unknownRoot(issuer: "CN=Tern test intermediate")),
        MatrixCase(.rsa, .unknownRoot(issuer: "CN=Tern test RSA root")), MatrixCase(.wrongUsage, .wrongUsage),
        MatrixCase(.wrongUsageAbove, .wrongUsage), MatrixCase(.noAlternativeName, .wrongHost()),
        MatrixCase(.nameConstraints, .constraintViolated), MatrixCase(.notAnAuthority, .constraintViolated),
        MatrixCase(.versionOneAbove, .constraintViolated), MatrixCase(.noCertificateSigning, .constraintViolated),
        MatrixCase(.pathTooLong, .constraintViolated), MatrixCase(.unknownExtension, .constraintViolated),
        MatrixCase(.unknownExtensionAbove, .constraintViolated), MatrixCase(.addressOnly, .wrongHost()),
        MatrixCase(.wildcard, .wrongHost()), MatrixCase(.p521, nil), MatrixCase(.ed25519, nil),
        MatrixCase(.ed448, .invalidCertificate("")),
        MatrixCase(.withdrawnDigest, .unknownRoot(issuer: "CN=Tern test RSA root")),
    ]

    private func evaluator(_ matrix: CertificateMatrix) throws -> TrustEvaluator {
        try TrustEvaluator(.only([.pemFile(path: matrix.rootFile)]))
    }

    @Test func `every row is judged`() { #expect(Set(Self.rows.map(\.row)) == Set(CertificateMatrix.Row.allCases)) }

    @Test(arguments: rows)
    func `each fault has its reason`(_ vector: MatrixCase) async throws {
        let matrix = try CertificateMatrix.shared
        let chain = try matrix.chain(vector.row)
        let trust = try await self.evaluator(matrix).evaluate(chain: chain, host: vector.host, at: Self.time)
        #expect(trust.evaluation?.withoutDetails == vector.expected)
        #expect(trust.isTrusted == (vector.expected == nil))
        #expect(trust.chain == chain)
        #expect(trust.host == vector.host)
        #expect(trust.verifiedChain.isEmpty == !trust.isTrusted)
        #expect(trust.leafPin != nil)
    }

    @Test func `the verified chain leads from the server to the root`() async throws {
        let matrix = try CertificateMatrix.shared
        let chain = try matrix.chain(.valid)
        let trust = try await self.evaluator(matrix).evaluate(chain: chain, host: "localhost", at: Self.time)
        let root = try matrix.certificates(in: "root.pem")
        #expect(trust.verifiedChain == chain + root)
        let names = try trust.certificates().map(\.subject.description)
        #expect(names == ["CN=localhost", "CN=Tern test intermediate"])
    }

    @Test func `a certificate for another host says for which it is`() async throws {
        let matrix = try CertificateMatrix.shared
        let chain = try matrix.chain(.valid)
        let trust = try await self.evaluator(matrix).evaluate(chain: chain, host: "elsewhere.test", at: Self.time)
        guard case .wrongHost(let names) = trust.evaluation else { throw try #require(trust.evaluation) }
        #expect(names.contains("localhost"))
        #expect(names.contains("127.0.0.1"))
    }

    @Test func `a certificate out of its time says when that is`() async throws {
        let matrix = try CertificateMatrix.shared
        let evaluator = try self.evaluator(matrix)
        let chain = try matrix.chain(.expired)
        let late = await evaluator.evaluate(chain: chain, host: "localhost", at: Self.time)
        #expect(late.evaluation == .certificateExpired(notAfter: Date(timeIntervalSince1970: 1_580_515_200)))
        let early = await evaluator.evaluate(chain: chain, host: "localhost", at: .distantPast)
        #expect(early.evaluation == .certificateNotYetValid(notBefore: Date(timeIntervalSince1970: 1_577_836_800)))
    }

    @Test func `certificates in any order, twice or without use do not matter`() async throws {
        let matrix = try CertificateMatrix.shared
        let (leaf, above) = (try matrix.certificates(in: "valid.pem"), try matrix.certificates(in: "intermediate.pem"))
        let strangers = try ["other.pem", "expired-intermediate.pem", "deep.pem"].flatMap(matrix.certificates)
        let chain = leaf + [[1, 2, 3]] + strangers + above + above + leaf
        let trust = try await self.evaluator(matrix).evaluate(chain: chain, host: "localhost", at: Self.time)
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain.count == 3)
        #expect(throws: TLSFailure.self) { try trust.certificates() }
    }

    @Test func `RSA and the older roots do, and SHA-1 does not`() async throws {
        let matrix = try CertificateMatrix.shared
        let evaluator = try TrustEvaluator(.only([.pemFile(path: matrix.rsaRootFile)]))
        let good = await evaluator.evaluate(chain: try matrix.chain(.rsa), host: "localhost", at: Self.time)
        #expect(good.evaluation == nil)
        let bad = await evaluator.evaluate(chain: try matrix.chain(.withdrawnDigest), host: "localhost", at: Self.time)
        #expect(bad.evaluation?.withoutDetails == .invalidCertificate(""))
    }

    /// RFC 5280 §4.1.2.5: the validity is "from notBefore through notAfter, inclusive".
    @Test(
        arguments: [
            (1_577_836_799.5, TLSFailure?.some(.certificateNotYetValid())), (1_577_836_800, nil),
            (1_580_515_200.5, nil),
            (1_580_515_201, .certificateExpired()), (.infinity, .certificateExpired()),
            (-.infinity, .certificateNotYetValid()), (.nan, .certificateNotYetValid()),
        ]
    )
    func `both ends belong to the validity`(_ seconds: Double, _ expected: TLSFailure?) async throws {
        let matrix = try CertificateMatrix.shared
        let time = Date(timeIntervalSince1970: seconds)
        let trust = try await self.evaluator(matrix)
            .evaluate(chain: try matrix.chain(.expired), host: "localhost", at: time)
        #expect(trust.evaluation?.withoutDetails == expected)
    }
}
