// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernAuthentication
import TernErrors
import TestSupport
import Testing
import X509

@testable import TernTrust

/// Tests certificates that break RFC 5280: some are still good, and some are an attack.
@Suite("Odd certificates")
struct OddCertificateTests {
    private static func isUnreadable(_ failure: TLSFailure?) -> Bool {
        if case .invalidCertificate? = failure { true } else { false }
    }

    @Test func `without a fault the chain is good`() async throws {
        #expect(try await ForgedChain().evaluation().evaluation == nil)
    }

    /// The two fields for the algorithm must be equal (RFC 5280 §4.1.1.2).
    @Test func `a signature of which the certificate names another algorithm is refused`() async throws {
        let faults = Forge.Faults(algorithm: .ecdsaWithSHA384)
        #expect(Self.isUnreadable(try await ForgedChain(leaf: faults).evaluation().evaluation))
        #expect(Self.isUnreadable(try await ForgedChain(authority: faults).evaluation().evaluation))
        // The root is trusted explicitly, so its signature is not checked.
        #expect(try await ForgedChain(root: faults).evaluation().isTrusted)
    }

    /// Serial numbers that are negative, zero, or longer than the 20 octets that RFC 5280 §4.1.2.2 allows.
    static let serialNumbers: [[UInt8]] = [
        [0xFF], [0x80, 0x01], [0x80] + [UInt8](repeating: 0, count: 19), [0],
        [UInt8](repeating: 0x7F, count: 21), [UInt8](repeating: 0x11, count: 300),
        [0xFE] + [UInt8](repeating: 0x11, count: 40),
    ]

    @Test(arguments: serialNumbers)
    func `a serial number means nothing`(_ number: [UInt8]) async throws {
        let faults = Forge.Faults(serialNumber: number)
        let chains = [
            try ForgedChain(leaf: faults), try ForgedChain(authority: faults), try ForgedChain(root: faults),
        ]
        for chain in chains {
            let trust = try await chain.evaluation()
            #expect(trust.evaluation == nil)
            #expect(trust.verifiedChain == chain.sent + [chain.root])
        }
        // The server's own certificate is also trusted if the policy names it.
        let evaluator = try TrustEvaluator(.only([.der(chains[0].sent[0])]))
        let chain = [chains[0].sent[0]]
        let trust = await evaluator.evaluate(chain: chain, host: "localhost", at: TrustEvaluatorTests.time)
        #expect(trust.verifiedChain == chain)
    }

    @Test func `what X509 is shown is not what is signed`() async throws {
        var chain = try ForgedChain(leaf: .init(serialNumber: [0xFF]))
        #expect(try await chain.evaluation().isTrusted)
        // The serial number follows the version.
        let before: [UInt8] = [0xA0, 3, 2, 1, 2, 2, 1]
        let place = try #require(chain.sent[0].firstRange(of: before + [0xFF]))
        chain.sent[0].replaceSubrange(place, with: before + [0xFE])
        #expect(try await !chain.evaluation().isTrusted)
    }

    @Test func `a number that is not in its shortest form is refused, as the TLS library does`() async throws {
        for number: [UInt8] in [[0, 1], [0xFF, 0xFF], []] {
            let trust = try await ForgedChain(leaf: .init(serialNumber: number)).evaluation()
            #expect(Self.isUnreadable(trust.evaluation))
        }
    }

    @Test func `a key of an unsupported kind is named as the reason, wherever it is`() async throws {
        let faults = Forge.Faults(hasStrangeKey: true)
        for chain in [try ForgedChain(leaf: faults), try ForgedChain(authority: faults)] {
            #expect(Self.isUnreadable(try await chain.evaluation().evaluation))
        }
        #expect(throws: TLSFailure.self) { try TrustEvaluator(.only([.der(ForgedChain(root: faults).root)])) }
        // The unreadable certificate does no harm beside a good authority of the same name.
        var chain = try ForgedChain()
        chain.sent.insert(try ForgedChain(authority: faults).sent[1], at: 1)
        #expect(try await chain.evaluation().isTrusted)
        // If the unreadable certificate has another name, it is not the missing issuer.
        chain.sent = [chain.sent[0], try ForgedChain(leaf: faults).sent[0]]
        #expect(try await chain.evaluation().evaluation == .unknownRoot(issuer: "CN=forged authority"))
    }
}
