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
    private final class Credulous: TLSDecider {
        let questionCount = Atomic(0)

        func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
            self.questionCount.add(1, ordering: .relaxed)
            return .accept(isForOneCall: true)
        }

        func identity(for request: ClientCertificateRequest) async -> IdentityDecision { .none }
    }

    private static func isAccepted(by judge: HandshakeJudge) async throws -> Bool {
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: NIOSSLVerificationResult.self)
        judge.judge([], answer)
        return try await answer.futureResult.get() == .certificateVerified
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

    /// Without roots, nothing is known about the server, so a delegate must not approve it by mistake.
    @Test func `nothing is asked when the system's roots cannot be read`() async {
        await #expect(processExitsWith: .success) {
            let decider = Credulous()
            let evaluator = try TrustEvaluator(.system)
            func judge() -> HandshakeJudge { HandshakeJudge(evaluator, host: "localhost", port: 443, decider: decider) }
            // The event loops need descriptors, so they start before the table is full.
            #expect(
                try await Self.isAccepted(
                    by: HandshakeJudge(TrustEvaluator(.unverified), host: "a", port: 1, decider: decider)
                )
            )
            #expect(decider.questionCount.load(ordering: .relaxed) == 1)
            do {
                let table = try FullDescriptorTable()
                let blind = judge()
                #expect(try await !Self.isAccepted(by: blind))
                guard case .configuration? = blind.failure else { fatalError("\(String(describing: blind.failure))") }
                #expect(decider.questionCount.load(ordering: .relaxed) == 1)
                withExtendedLifetime(table) {}
            }
            #expect(try await Self.isAccepted(by: judge()))
            #expect(decider.questionCount.load(ordering: .relaxed) == 2)
        }
    }
}
