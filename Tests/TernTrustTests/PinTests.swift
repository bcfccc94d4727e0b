// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing

@Suite("Pins of chains", .hangLimit)
struct PinTests {
    private static func pin(_ name: String) throws -> KeyPin {
        try KeyPin(base64: CertificateMatrix.shared.digest(of: name))
    }

    private static func set(
        _ names: [String],
        host: String = "localhost",
        backup: String = "rsa",
        enforcement: PinSet.Enforcement = .enforce
    ) throws -> PinSet {
        let (pins, backups) = (try names.map(self.pin), [try self.pin(backup)])
        return try PinSet(host: host, pins: pins, backupPins: backups, enforcement: enforcement)
    }

    private func trust(
        _ sets: PinSet...,
        chain: [[UInt8]]? = nil,
        roots: TrustPolicy.Roots? = nil
    ) async throws -> ServerTrust {
        let matrix = try CertificateMatrix.shared
        let roots = roots ?? .only([.pemFile(path: matrix.rootFile)])
        let evaluator = try TrustEvaluator(TrustPolicy(roots: roots, pinSets: sets))
        let chain = try chain ?? matrix.chain(.valid)
        return await evaluator.evaluate(chain: chain, host: "localhost", at: TrustEvaluatorTests.time)
    }

    /// Compares the pins of keys with the digests of openssl (RFC 7469 §2.4).
    @Test(arguments: ["valid", "intermediate", "root", "rsa"])
    func `the pin of a certificate is openssl's`(_ name: String) throws {
        let matrix = try CertificateMatrix.shared
        let certificates = try matrix.certificates(in: "\(name).pem")
        #expect(
            certificates.map { KeyPin(certificate: $0)?.description } == ["sha256/" + (try matrix.digest(of: name))]
        )
    }

    @Test func `the server's pin can be printed`() async throws {
        #expect(try await self.trust().leafPin == Self.pin("valid"))
    }

    @Test(arguments: ["valid", "intermediate", "root"])
    func `any key of the verified chain may be pinned`(_ name: String) async throws {
        let trust = try await self.trust(Self.set([name]))
        #expect(trust.isTrusted)
        #expect(trust.pinReports.isEmpty)
        #expect(try await self.trust(Self.set(["rsa"], backup: name)).isTrusted)
    }

    @Test func `no pinned key is a mismatch`() async throws {
        let stranger = try KeyPin(sha256: Array(repeating: 7, count: 32))
        let set = try PinSet(host: "LOCALHOST.", pins: [stranger], backupPins: [Self.pin("rsa")])
        let trust = try await self.trust(set)
        #expect(trust.evaluation == .pinMismatch)
        #expect(trust.verifiedChain.isEmpty)
    }

    @Test func `a certificate that is only sent does not count`() async throws {
        let matrix = try CertificateMatrix.shared
        let chain = try matrix.chain(.valid) + matrix.certificates(in: "rsa.pem")
        let set = try PinSet(
            host: "localhost",
            pins: [Self.pin("rsa")],
            backupPins: [KeyPin(sha256: [UInt8](repeating: 0, count: 32))]
        )
        #expect(try await self.trust(set, chain: chain).evaluation == .pinMismatch)
    }

    @Test func `a set that only reports does so`() async throws {
        let set = try PinSet(
            host: "localhost",
            pins: [Self.pin("rsa")],
            backupPins: [KeyPin(sha256: Array(repeating: 0, count: 32))],
            enforcement: .reportOnly
        )
        let trust = try await self.trust(set)
        #expect(trust.isTrusted)
        let presented = try ["valid", "intermediate", "root"].map(Self.pin)
        #expect(trust.pinReports == [PinMismatch(pinSet: set, presented: presented)])
        // Another set is still enforced.
        let other = try PinSet(host: "localhost", pins: set.pins, backupPins: set.backupPins)
        #expect(try await self.trust(set, other).evaluation == .pinMismatch)
    }

    @Test func `every set of the host has to match, and sets of other hosts need not`() async throws {
        let none = try KeyPin(sha256: Array(repeating: 0, count: 32))
        let bad = try PinSet(host: "localhost", pins: [Self.pin("rsa")], backupPins: [none])
        #expect(try await self.trust(Self.set(["valid"]), bad).evaluation == .pinMismatch)
        let elsewhere = try PinSet(host: "elsewhere.example", pins: [Self.pin("rsa")], backupPins: [none])
        #expect(try await self.trust(Self.set(["valid"]), elsewhere).isTrusted)
    }

    @Test func `a pin does not make a server trusted`() async throws {
        let matrix = try CertificateMatrix.shared
        let trust = try await self.trust(Self.set(["valid"]), chain: matrix.chain(.selfSigned))
        #expect(trust.evaluation == .selfSigned)
    }

    @Test func `where nothing is verified, the server's own key has to be pinned`() async throws {
        #expect(try await self.trust(Self.set(["valid"]), roots: .unverified).isTrusted)
        #expect(try await self.trust(Self.set(["intermediate"]), roots: .unverified).evaluation == .pinMismatch)
        let unreadable = try await self.trust(Self.set(["valid"]), chain: [[1]], roots: .unverified)
        #expect(unreadable.evaluation == .pinMismatch)
    }
}
