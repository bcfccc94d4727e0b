// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading

/// One request and its response over `URLSession`: runs an ``ExchangeStateMachine``.
///
/// `URLSession`, the task that sends the body, and the call change the machine under one lock, and carry out the effects without
/// it.
final class SessionExchange: Sendable {
    private struct State {
        var machine: ExchangeStateMachine
        var steering = TaskSteering()
        var task: URLSessionTask?
        /// The request body on its way, if this object reads it; `nil` until `URLSession` asks for it.
        var upload: RunningUpload?
        var waiter: Suspension<Wake>?
        var needsOwnSession = false
        var approval = ServerApproval()
        var approvals: ServerApprovals?
    }

    private enum Wake: Sendable {
        case event
        case timedOut
        case cancelled
    }

    let call: HTTPCall
    let capabilities: PlatformCapabilities

    private let bodyLength: Int64?
    /// Whether the request has a body that is not known to be empty.
    private let hasBody: Bool
    /// The request body, if this object reads it.
    private let stream: RequestBody.Stream?
    private let isEveryCodingDecoded: Bool
    private let isAlone: Bool
    private let state: Mutex<State>

    /// Creates an exchange that has not begun; if `isAlone`, no other exchange may use its connection.
    init(
        _ call: HTTPCall,
        _ body: OutgoingBody,
        _ buffering: ExchangeStateMachine.Buffering,
        asksForCodings: Bool,
        _ capabilities: PlatformCapabilities,
        isAlone: Bool
    ) {
        var call = call
        // A long download must not keep the request body in memory, so this object keeps only a stream, which it reads.
        if call.request.body != nil { call.request.body = nil }
        self.call = call
        self.bodyLength = body.isPresent ? body.length : nil
        self.hasBody = body.length != 0
        self.stream = if case .stream(let stream) = body { stream } else { nil }
        self.capabilities = capabilities
        self.isAlone = isAlone
        self.isEveryCodingDecoded = asksForCodings || capabilities.decodesEveryCoding
        self.state = Mutex(State(machine: ExchangeStateMachine(buffering, body.progress, start: call.clock.now)))
    }

    func begin(_ task: URLSessionTask, _ approvals: ServerApprovals) {
        self.change { state in
            state.task = task
            state.approvals = approvals
            state.steering.wish = .running
            return .none
        }
    }

    /// Whether the call must begin again in a separate session, because no other call may use its connection.
    var needsOwnSession: Bool { self.state.withLock { $0.needsOwnSession } }

    /// The certificates of a server that not every call trusts; `nil` for other servers.
    var tls: TLSFacts? { self.state.withLock { $0.approvals }?[self.call.destination.origin] }

    // MARK: The call

    func head() async throws(ClientError) -> ReceivedHead {
        try await self.wait { ($0.takeHead(), .none) }
    }

    /// Waits for bytes of the body, as `ResponseBodySource.next(atLeast:)` says.
    func read(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        try await self.wait { $0.read(atLeast: byteCount) }
    }

    func leave() { self.change { $0.machine.readerLeft() } }

    /// Waits until the machine has a value; if this throws, the exchange is over.
    private func wait<Value: Sendable>(
        for step: (inout ExchangeStateMachine) -> (ExchangeStateMachine.Step<Value>, ExchangeStateMachine.Effects)
    ) async throws(ClientError) -> Value {
        let start = self.call.clock.now
        while true {
            let suspension = Suspension<Wake>()
            var answer = ExchangeStateMachine.Step<Value>.wait
            var deadline: CallDeadline?
            self.change { state in
                let (step, effects) = step(&state.machine)
                answer = step
                guard case .wait = step else { return effects }
                state.waiter = suspension
                deadline = self.deadline(state, since: start)
                return effects
            }
            switch answer {
            case .value(let value): return value
            case .failed(let failure): throw self.error(failure)
            case .wait: break
            }
            let wake = await suspension.wait(
                until: deadline,
                on: self.call.clock,
                onTimeout: { _ in .timedOut },
                onCancel: .cancelled
            )
            switch wake {
            case .event: break
            case .timedOut: self.change { self.timerFired(&$0, since: start) }
            case .cancelled:
                let error = ClientError.cancelled(self.call.context(self.phase))
                self.fail(.call(error))
                throw error
            }
        }
    }

    private func deadline(_ state: borrowing State, since start: ClockInstant) -> CallDeadline? {
        .earlier(state.machine.deadline(self.call.timeouts, since: start), self.call.deadline)
    }

    /// Ends the exchange if its deadline has passed; the deadline may have moved while the task waited.
    private func timerFired(_ state: inout State, since start: ClockInstant) -> ExchangeStateMachine.Effects {
        guard let deadline = self.deadline(state, since: start), deadline.instant <= self.call.clock.now else {
            return .none
        }
        let phase: ClientError.Phase = state.machine.head == nil ? .head : .body
        let context = self.call.context(phase, response: state.machine.head?.httpResponse)
        return state.machine.failed(.call(deadline.error(context)))
    }

    private var phase: ClientError.Phase { self.state.withLock { $0.machine.head == nil } ? .head : .body }

    private func error(_ failure: ExchangeFailure) -> ClientError {
        let (head, byteCount, hasSentBody) = self.state.withLock { state in
            (state.machine.head, state.machine.receivedByteCount, self.hasBody ? state.machine.hasSentBody : nil)
        }
        let context = self.call.context(head == nil ? .head : .body, response: head?.httpResponse)
        switch failure {
        case .call(let error): return error
        case .session(let failure):
            return self.call.error(
                failure,
                after: head,
                hasSentBody: hasSentBody,
                received: byteCount,
                self.capabilities
            )
        case .truncated: return .truncated(received: byteCount, expected: head?.bodyLength, context)
        case .discarded: return .bodyMisused(.discarded, context)
        case .bodyDropped: return .interceptorFailed(URLSessionTransportError.bodyDropped, context)
        case .tooManyUnreadBytes(let limit):
            return .interceptorFailed(URLSessionTransportError.tooManyUnreadBytes(limit: limit), context)
        }
    }

    // MARK: The request body

    /// Returns the stream of the request body; `nil` if there is none, or if it was read before and cannot be read again.
    func makeBodyStream() -> InputStream? {
        guard let stream = self.stream else { return nil }
        let isFirst = self.state.withLock { $0.upload == nil }
        guard isFirst || stream.isReplayable else {
            self.fail(.call(.uploadFailed(.notReplayable, self.call.context(.send))))
            return nil
        }
        let upload = RunningUpload(stream, of: self.call, for: self)
        self.change { state in
            state.upload?.stop()
            state.upload = upload
            return state.machine.uploadBegan()
        }
        return upload.pipe.makeInputStream()
    }

    func sourceIsSlow(_ isSlow: Bool) {
        let now = self.call.clock.now
        self.change { $0.machine.sourceIsSlow(isSlow, at: now) }
    }

    func sourceEnded(_ byteCount: Int64) {
        let now = self.call.clock.now
        self.changeReportingBodySent { $0.machine.sourceEnded(byteCount, at: now) }
    }

    func fail(_ failure: ExchangeFailure) { self.change { $0.machine.failed(failure) } }

    // MARK: The task of URLSession

    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        let head = ReceivedHead(
            statusCode: response.statusCode,
            received: response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return (name, value)
            },
            method: self.call.request.method,
            isEveryCodingDecoded: self.isEveryCodingDecoded
        )
        self.reportConnected()
        guard head.statusCode >= 200 || head.statusCode == 101 else {
            self.call.observer?.didReceiveInformational(head.httpResponse)
            return
        }
        if let observer = self.call.observer {
            observer.didReach(.firstByte)
            observer.didReach(.answered(statusCode: head.statusCode, version: "HTTP/1.1", headByteCount: 0))
        }
        let now = self.call.clock.now
        self.change { $0.machine.responseArrived(head, at: now) }
    }

    func receive(_ data: Data) {
        let now = self.call.clock.now
        let bytes = ByteBuffer(bytes: data)
        self.change { $0.machine.dataArrived(bytes, at: now) }
    }

    func sent(_ byteCount: Int64) {
        self.reportConnected()
        self.call.observer?.didSend(byteCount, of: self.bodyLength)
        let now = self.call.clock.now
        self.changeReportingBodySent { $0.machine.sent(byteCount, at: now) }
    }

    func waitsForConnectivity() {
        self.call.observer?.didReach(.waiting)
        self.change { $0.machine.waitsForConnectivity() }
    }

    func complete(_ error: (any Error)?, _ response: URLResponse?) {
        guard error == nil else {
            self.change { $0.machine.completed(error.map { .session(SessionFailure($0)) }) }
            return
        }
        // swift-corelibs-foundation delivers no head and no body of a redirect that it cannot follow.
        if let response, self.state.withLock({ $0.machine.head == nil }) {
            self.receive(response)
            self.change { state in
                let mayLackContent = state.machine.head.map { $0.mayHaveContent && $0.bodyLength != 0 } ?? false
                return state.machine.completed(mayLackContent ? .bodyDropped : nil)
            }
        } else {
            self.change { $0.machine.completed(nil) }
        }
    }

    /// Answers a challenge in a new task, because delegates may take their time.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let question = Challenge(challenge)
        Task.detached {
            let answer = await ChallengeAnswer.answer(question.value, for: self.call)
            if answer.isForOneCall, !self.isAlone {
                // `URLSession` shares its connections, so the call begins again in a session of its own.
                self.change { state in
                    state.needsOwnSession = true
                    return state.machine.failed(.session(SessionFailure(.cancelled)))
                }
                return completion(.cancelAuthenticationChallenge, nil)
            }
            self.note(answer)
            if answer.endsResponse { self.change { $0.machine.completed(nil) } }
            if let failure = answer.failure { self.fail(.call(failure)) }
            completion(answer.disposition, answer.credential)
        }
    }

    private func note(_ answer: ChallengeAnswer) {
        let (facts, approvals) = self.state.withLock { state in
            state.approval.note(answer)
            return (state.approval.facts, state.approvals)
        }
        if let facts { approvals?[self.call.destination.origin] = facts }
    }

    // MARK: Effects

    private func change(_ body: (inout State) -> ExchangeStateMachine.Effects) {
        var waiter: Suspension<Wake>?
        var upload: RunningUpload?
        self.state.withLock { state in
            let effects = body(&state)
            if let wish = effects.wish { state.steering.wish = wish }
            if effects.wakesWaiter { waiter = state.waiter.take() }
            if effects.stopsBody { upload = state.upload }
        }
        waiter?.resume(with: .event)
        // Before the task, so that nothing of the body follows.
        upload?.stop()
        self.steer()
    }

    /// Changes the state like ``change(_:)``, and reports when this completes the request body.
    private func changeReportingBodySent(_ body: (inout State) -> ExchangeStateMachine.Effects) {
        var sentByteCount: Int64?
        self.change { state in
            let wasSent = state.machine.sentByteCount != nil
            let effects = body(&state)
            if !wasSent { sentByteCount = state.machine.sentByteCount }
            return effects
        }
        if let sentByteCount { self.call.observer?.didReach(.bodySent(byteCount: sentByteCount)) }
    }

    /// Reports the end of a wait for connectivity, if there was one.
    private func reportConnected() {
        var hasWaited = false
        self.change { state in
            let effects = state.machine.connected()
            hasWaited = effects.wakesWaiter
            return effects
        }
        if hasWaited { self.call.observer?.didReach(.connected) }
    }

    private func steer() {
        while let (command, task) = self.state.withLock({ state -> (TaskSteering.Command, URLSessionTask)? in
            guard let task = state.task, let command = state.steering.next() else { return nil }
            return (command, task)
        }) {
            switch command {
            case .resume: task.resume()
            case .suspend: task.suspend()
            case .cancel: task.cancel()
            }
            self.state.withLock { state in
                state.steering.didPerform(command)
                if command == .cancel { state.task = nil }
            }
        }
    }
}

/// Invariant of the unchecked conformance: nothing changes a challenge after `URLSession` has created it.
private struct Challenge: @unchecked Sendable {
    let value: URLAuthenticationChallenge

    init(_ value: URLAuthenticationChallenge) { self.value = value }
}
