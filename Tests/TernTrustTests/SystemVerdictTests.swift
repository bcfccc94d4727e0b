// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import TernErrors
import TestSupport
import Testing
import X509

@testable import TernTrust

/// Tests what an answer of the system means, and how the client waits for it, without such a system.
@Suite("Verdicts of the system", .hangLimit)
struct SystemVerdictTests {
    private static let time = TrustEvaluatorTests.time

    private func failure(_ verdict: SystemVerdict, _ chain: [[UInt8]], at time: Date = Self.time) -> TLSFailure? {
        do throws(TLSFailure) {
            _ = try verdict.path(in: chain, at: time)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a path must begin with the server's certificate`() throws {
        let chain = try CertificateMatrix.shared.chain(.valid)
        let root = try CertificateMatrix.shared.certificates(in: "root.pem")
        #expect(try SystemVerdict.trusted(chain + root).path(in: chain, at: Self.time) == chain + root)
        let failure = TLSFailure.invalidCertificate("the system does not return the chain that it trusts")
        for path in [[], root, Array(chain.dropFirst())] {
            #expect(self.failure(.trusted(path), chain) == failure)
        }
        #expect(self.failure(.trusted([]), []) == failure)
    }

    @Test func `a refusal has the details of the certificates that were sent`() throws {
        let chain = try CertificateMatrix.shared.chain(.valid)
        let leaf = try ParsedCertificate(chain[0]).fields
        let later = leaf.notValidAfter.addingTimeInterval(1)
        let earlier = leaf.notValidBefore.addingTimeInterval(-1)
        #expect(
            self.failure(.refused(.expired), chain, at: later) == .certificateExpired(notAfter: leaf.notValidAfter)
        )
        #expect(
            self.failure(.refused(.notYetValid), chain, at: earlier)
                == .certificateNotYetValid(notBefore: leaf.notValidBefore)
        )
        guard case .wrongHost(let names)? = self.failure(.refused(.wrongHost), chain) else {
            Issue.record("another failure")
            return
        }
        #expect(names.contains("localhost"))
        #expect(self.failure(.refused(.noPath), chain) == .unknownRoot(issuer: "CN=Tern test root"))
        let selfSigned = try CertificateMatrix.shared.chain(.selfSigned)
        #expect(self.failure(.refused(.noPath), selfSigned) == .selfSigned)
    }

    @Test func `a refusal without usable certificates has no details`() {
        for chain in [[], [[0, 1, 2]]] as [[[UInt8]]] {
            #expect(self.failure(.refused(.expired), chain) == .certificateExpired(notAfter: nil))
            #expect(self.failure(.refused(.notYetValid), chain) == .certificateNotYetValid(notBefore: nil))
            #expect(self.failure(.refused(.wrongHost), chain) == .wrongHost(names: []))
            #expect(self.failure(.refused(.noPath), chain) == .unknownRoot(issuer: "an unknown issuer"))
        }
    }

    @Test func `every other answer is a failure, too`() {
        #expect(self.failure(.refused(.wrongUsage), []) == .wrongUsage)
        #expect(self.failure(.refused(.constraint), []) == .constraintViolated)
        #expect(self.failure(.unreadable, []) == .invalidCertificate("one of them is malformed"))
        #expect(
            self.failure(.refusedWithCode(-67820), [])
                == .invalidCertificate("the system does not accept them (error -67820)")
        )
        #expect(self.failure(.abandoned, []) == .invalidCertificate("the system did not answer in time"))
    }

    @Test func `an answer arrives, also while many others hang`() async {
        let gate = DispatchSemaphore(value: 0)
        let hanging = (0..<100).map { _ in
            Task {
                await SystemVerdict.answer(onThread: Thread.detachNewThread) {
                    gate.wait()
                    return .unreadable
                }
            }
        }
        let answer = await SystemVerdict.answer(onThread: Thread.detachNewThread) { .trusted([[1]]) }
        #expect(answer == .trusted([[1]]))
        // The limit of a call cancels its task.
        for task in hanging { task.cancel() }
        for task in hanging { #expect(await task.value == .abandoned) }
        for _ in hanging { gate.signal() }
    }
}
