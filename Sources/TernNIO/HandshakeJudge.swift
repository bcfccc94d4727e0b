// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernTrust

/// Answers the TLS library, during one handshake, whether to trust the server and which certificate to present to it.
///
/// The library asks on the event loop; this object decides in tasks, and cancels them when the client gives up the handshake.
final class HandshakeJudge: Sendable {
    private struct State {
        var trust: ServerTrust?
        var failure: TLSFailure?
        var isForOneCall = false
        var showsIdentity: Bool
        var tasks: [Task<Void, Never>] = []
        /// Released at the end of the handshake, because the open connection still retains the judge.
        var decider: (any TLSDecider)?
        var isOver = false
    }

    private let state: Mutex<State>
    private let evaluator: TrustEvaluator
    private let turns: EvaluationTurns
    private let host: String
    private let port: Int
    let asksForIdentity: Bool

    /// Creates a judge; `showsIdentity` is whether the client has a certificate without asking the decider.
    init(
        _ evaluator: TrustEvaluator,
        host: String,
        port: Int,
        decider: (any TLSDecider)?,
        showsIdentity: Bool = false,
        turns: EvaluationTurns = .shared
    ) {
        self.evaluator = evaluator
        self.turns = turns
        self.host = host
        self.port = port
        self.asksForIdentity = decider != nil
        self.state = Mutex(State(showsIdentity: showsIdentity, decider: decider))
    }

    var trust: ServerTrust? { self.state.withLock { $0.trust } }
    /// The reason why this object ended the handshake; `nil` if it did not.
    var failure: TLSFailure? { self.state.withLock { $0.failure } }
    /// Whether no other call may use the connection, because of a decision of this call's delegate.
    var isForOneCall: Bool { self.state.withLock { $0.isForOneCall } }
    /// The certificates that both sides have shown so far.
    var shown: ShownCertificates {
        self.state.withLock { ShownCertificates(server: $0.trust != nil, client: $0.showsIdentity) }
    }

    /// Cancels all tasks and releases the decider, because the handshake is over or no call waits for it.
    func giveUp() {
        let tasks = self.state.withLock { state in
            state.isOver = true
            state.decider = nil
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Trust

    /// Evaluates the certificates, in the order of the server, the leaf first, and answers the library.
    func judge(_ certificates: [NIOSSLCertificate], _ answer: EventLoopPromise<NIOSSLVerificationResult>) {
        self.run {
            // If the leaf cannot be read and were skipped, the next certificate would count as the server's.
            guard let chain = try? certificates.map({ try $0.toDERBytes() }) else {
                self.state.withLock { $0.failure = .invalidCertificate("one of them cannot be read") }
                answer.succeed(.failed)
                return
            }
            // The turn ends before the decider is asked, which may take as long as a person thinks.
            guard let evaluation = await self.turns.run(for: self.host, { await self.evaluation(of: chain) }) else {
                answer.succeed(.failed)  // no call waits for the handshake
                return
            }
            let trust: ServerTrust
            do throws(TLSFailure) {
                trust = try evaluation.get()
            } catch {
                // Without roots there is nothing to decide about.
                self.state.withLock { $0.failure = error }
                answer.succeed(.failed)
                return
            }
            let decider = self.state.withLock { $0.decider }
            let decision = await decider?.decide(on: trust, port: self.port, isEstablished: false) ?? .byDefault
            let isAccepted = self.record(trust, decision)
            answer.succeed(isAccepted ? .certificateVerified : .failed)
        } ifOver: {
            answer.succeed(.failed)
        }
    }

    private func evaluation(of chain: [[UInt8]]) async -> Result<ServerTrust, TLSFailure> {
        do throws(TLSFailure) {
            try self.evaluator.readSystemRoots()
        } catch {
            return .failure(error)
        }
        return .success(await self.evaluator.evaluate(chain: chain, host: self.host, at: Date()))
    }

    private func record(_ trust: ServerTrust, _ decision: TrustDecision) -> Bool {
        self.state.withLock { state in
            state.trust = trust
            switch decision {
            case .byDefault:
                state.failure = trust.evaluation
            case .accept(let isForOneCall):
                if isForOneCall { state.isForOneCall = true }
            case .reject:
                state.failure = .rejected
            }
            return state.failure == nil
        }
    }

    // MARK: Client certificates

    func choose(_ answer: EventLoopPromise<NIOSSLContextConfigurationOverride>) {
        self.run {
            let request = ClientCertificateRequest(host: self.host, port: self.port)
            let decider = self.state.withLock { $0.decider }
            switch await decider?.identity(for: request) ?? .none {
            case .none:
                answer.succeed(.noChanges)
            case .reject:
                self.fail(.rejected, answer)
            case .show(let identity, let isForOneCall):
                if isForOneCall { self.state.withLock { $0.isForOneCall = true } }
                do throws(TLSFailure) {
                    let override = try identity.override()
                    self.state.withLock { $0.showsIdentity = true }
                    answer.succeed(override)
                } catch {
                    self.fail(error, answer)
                }
            }
        } ifOver: {
            answer.succeed(.noChanges)
        }
    }

    private func fail(_ failure: TLSFailure, _ answer: EventLoopPromise<NIOSSLContextConfigurationOverride>) {
        self.state.withLock { $0.failure = failure }
        answer.fail(ConnectionError.tls(failure))
    }

    private func run(_ work: @escaping @Sendable () async -> Void, ifOver: () -> Void) {
        let isOver = self.state.withLock { state in
            if !state.isOver { state.tasks.append(Task { await work() }) }
            return state.isOver
        }
        if isOver { ifOver() }
    }
}
