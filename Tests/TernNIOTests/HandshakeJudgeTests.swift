// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernTrust
import TestSupport
import Testing

@testable import TernNIO

@Suite("Judging a server during the handshake", .hangLimit)
struct HandshakeJudgeTests {
    /// Accepts every server, and counts the questions.
    final class Credulous: TLSDecider {
        let questionCount = Atomic(0)

        func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
            self.questionCount.add(1, ordering: .relaxed)
            return .accept(isForOneCall: true)
        }

        func identity(for request: ClientCertificateRequest) async -> IdentityDecision { .none }
    }

    static func isAccepted(by judge: HandshakeJudge) async throws -> Bool {
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: NIOSSLVerificationResult.self)
        judge.judge([], answer)
        return try await answer.futureResult.get() == .certificateVerified
    }

    @Test func `which certificates were shown is known`() async throws {
        let evaluator = try TrustEvaluator(.unverified)
        let judge = HandshakeJudge(evaluator, host: "a", port: 1, decider: Credulous())
        #expect(judge.shown == ShownCertificates())
        #expect(try await Self.isAccepted(by: judge))
        #expect(judge.shown == ShownCertificates(server: true))
        let other = HandshakeJudge(evaluator, host: "a", port: 1, decider: nil, showsIdentity: true)
        #expect(other.shown == ShownCertificates(client: true))
    }

    @Test func `the certificates are evaluated when it is the turn of the host`() async throws {
        let turns = EvaluationTurns(maximumCount: 1)
        let mayEnd = Flag()
        let other = Task { await turns.run(for: "other") { await mayEnd.wait() } }
        await expectEventually("the other evaluation runs") { turns.counts == (running: 1, waiting: 0) }
        let decider = Credulous()
        let judge = HandshakeJudge(try TrustEvaluator(.unverified), host: "a", port: 1, decider: decider, turns: turns)
        let answer = Task { try await Self.isAccepted(by: judge) }
        await expectEventually("this one waits") { turns.counts == (running: 1, waiting: 1) }
        #expect(decider.questionCount.load(ordering: .relaxed) == 0)
        mayEnd.raise()
        #expect(await other.value != nil)
        #expect(try await answer.value)
        #expect(turns.counts == (running: 0, waiting: 0))
    }
}
