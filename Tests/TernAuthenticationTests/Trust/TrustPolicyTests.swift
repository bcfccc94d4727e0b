// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import Testing

@Suite("TrustPolicy and ServerTrust")
struct TrustPolicyTests {
    @Test func `the system is trusted unless told otherwise`() {
        #expect(TrustPolicy().roots == .system)
        #expect(TrustPolicy().pinSets.isEmpty)
        #expect(TrustPolicy.system == TrustPolicy())
        #expect(TrustPolicy.only([.pem("x")]).roots == .only([.pem("x")]))
        #expect(TrustPolicy.system(adding: [.der([1])]).roots == .systemAdding([.der([1])]))
        #expect(TrustPolicy.unverified.roots == .unverified)
    }

    @Test func `pinning adds a set`() throws {
        let (one, two) = (KeyPin(subjectPublicKeyInfo: [1]), KeyPin(subjectPublicKeyInfo: [2]))
        let first = try PinSet(host: "a", pins: [one], backupPins: [two])
        let second = try PinSet(host: "b", pins: [one], backupPins: [two])
        #expect(TrustPolicy.unverified.pinning(first).pinning(second).pinSets == [first, second])
        #expect(TrustPolicy.unverified.pinning(first).roots == .unverified)
    }

    @Test func `a server is trusted unless there is a reason not to`() {
        var trust = ServerTrust(host: "example.com", chain: [[1]])
        #expect(trust.isTrusted)
        #expect(trust.description == "example.com: trusted")
        trust.evaluation = .selfSigned
        trust.leafPin = KeyPin(subjectPublicKeyInfo: [])
        #expect(!trust.isTrusted)
        #expect(trust.description.contains("self-signed"))
        #expect(trust.description.hasSuffix("sha256/\(PinTests.digest)"))
    }
}
