// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernAuthentication
import TernConnections
import TernErrors
import TernRequests
import TestSupport
import Testing

@testable import Tern

@Suite("Delegates: answers about servers")
struct ServerVerdictsTests {
    private static let trust = ServerTrust(host: "test", chain: [[1, 2, 3]], evaluation: .selfSigned)
    private static let trusted = ServerTrust(host: "test", chain: [[1, 2, 3]])
    private static let other = ServerTrust(host: "other", chain: [[1, 2, 3]], evaluation: .selfSigned)

    private func text(_ step: ServerVerdicts.Step) -> String {
        switch step {
        case .decided(let decision): "\(decision)"
        case .ask(let audience): "ask \(audience)"
        }
    }

    private func answer(_ disposition: ChallengeDisposition, isOwn: Bool = true) -> ServerVerdicts.Answer {
        ServerVerdicts.Answer(disposition, isOwn: isOwn)
    }

    @Test func `the call's delegate is asked first, about an established connection alone`() {
        let verdicts = ServerVerdicts()
        #expect(self.text(verdicts.step(for: Self.trust, isEstablished: false)) == "ask both")
        #expect(self.text(verdicts.step(for: Self.trust, isEstablished: true)) == "ask own")
    }

    @Test func `an answer is kept for its host and certificates`() {
        var verdicts = ServerVerdicts()
        #expect(verdicts.answered(self.answer(.cancel), about: Self.trust, isEstablished: false) == .reject)
        for isEstablished in [false, true] {
            #expect(self.text(verdicts.step(for: Self.trust, isEstablished: isEstablished)) == "reject")
        }
        #expect(self.text(verdicts.step(for: Self.other, isEstablished: false)) == "ask both")
    }

    @Test func `when no delegate answers, the evaluation decides`() {
        var verdicts = ServerVerdicts()
        #expect(verdicts.answered(nil, about: Self.trust, isEstablished: false) == .byDefault)
        #expect(self.text(verdicts.step(for: Self.trust, isEstablished: true)) == "byDefault")
    }

    @Test func `the client's delegate is asked later, if the call's delegate left an established connection to it`() {
        var verdicts = ServerVerdicts()
        #expect(verdicts.answered(nil, about: Self.trust, isEstablished: true) == .accept(isForOneCall: false))
        #expect(self.text(verdicts.step(for: Self.trust, isEstablished: true)) == "accept(isForOneCall: false)")
        #expect(self.text(verdicts.step(for: Self.trust, isEstablished: false)) == "ask shared")
    }

    @Test func `a server that only the call's delegate approves is for this call`() {
        for (trust, isOwn, isForOneCall) in [
            (Self.trust, true, true), (Self.trust, false, false), (Self.trusted, true, false),
        ] {
            var verdicts = ServerVerdicts()
            let approval = self.answer(.useCredential(Credential(trust: trust)), isOwn: isOwn)
            let decision = verdicts.answered(approval, about: trust, isEstablished: false)
            #expect(decision == .accept(isForOneCall: isForOneCall))
        }
    }

    @Test func `a question after the end of the call is refused, and waits for no delegate`() async {
        let delegates = TaskDelegation.Delegates(own: AnsweringDelegate(challenged: { _ in .cancel }), shared: nil)
        let delegation = TaskDelegation(delegates, Request(url: testURL), monitors: [], SystemClock())
        #expect(await delegation.decide(on: Self.trust, port: 443, isEstablished: false) == .reject)
        await delegation.finish(nil)
        #expect(await delegation.decide(on: Self.other, port: 443, isEstablished: false) == .reject)
        #expect(await delegation.identity(for: ClientCertificateRequest(host: "test", port: 443)).isRejection)
    }

    @Test func `a question that is open at the end of the call is refused, whatever its delegate returns`() async {
        let asked = Flag()
        let delegate = AnsweringDelegate(challenged: { _ in
            asked.raise()
            try? await Task.sleep(for: .seconds(3600))
            return nil
        })
        let delegates = TaskDelegation.Delegates(own: nil, shared: delegate)
        let delegation = TaskDelegation(delegates, Request(url: testURL), monitors: [], SystemClock())
        async let decision = delegation.decide(on: Self.trusted, port: 443, isEstablished: false)
        await asked.wait()
        let ending = Task { await delegation.finish(.cancelled(ClientError.Context(phase: .wait))) }
        ending.cancel()
        await ending.value
        #expect(await decision == .reject)
    }
}

extension IdentityDecision {
    fileprivate var isRejection: Bool {
        if case .reject = self { true } else { false }
    }
}
