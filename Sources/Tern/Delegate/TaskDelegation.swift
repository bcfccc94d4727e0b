// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Observes one call, and reports its events and questions to its delegates.
///
/// A separate task calls the delegates, in order and one message at a time.
///
/// A call has such an object only if it has a delegate or a monitor, or collects metrics, so other calls pay nothing.
/// Without a delegate, the object only measures the call. The task runs only while messages wait. The object retains
/// the delegates until the call has ended and the last message was delivered.
final class TaskDelegation: Sendable {
    /// The delegates of a call, in the order in which the client asks them.
    struct Delegates: Sendable {
        /// The call's own delegate.
        var own: (any TaskDelegate)?
        /// The client's delegate.
        var shared: (any TaskDelegate)?
    }

    /// Whether the caller has all the content that it wants, so that the end of the body is a success in any case.
    ///
    /// The client sets this property when the final event of a stream arrives.
    var hasWholeContent: Bool {
        get { self.isContentWhole.load(ordering: .relaxed) }
        set { self.isContentWhole.store(newValue, ordering: .relaxed) }
    }

    private let isContentWhole = Atomic(false)

    /// A closure that reports an event to one delegate.
    typealias Event = @Sendable (any TaskDelegate, TaskInfo) async -> Void

    /// A message for the delegates.
    enum Message: Sendable {
        /// An event, which is reported to the call's delegate and to the client's delegate.
        case event(TaskInfo, Event)
        /// A question; another task waits for the answer.
        case question(TaskInfo, any Question)
    }

    /// The host and the certificates that a trust question was about.
    ///
    /// The host matters: the right answer for one host may be wrong for another host with the same certificates.
    struct Server: Hashable {
        var host: String
        var chain: [[UInt8]]
    }

    /// The delegates' answer about a server.
    enum Verdict {
        /// A delegate decided, or all delegates left the decision to the evaluation of the certificates.
        case decided(TrustDecision)
        /// The call's own delegate returned `nil`, and the client's delegate was not asked.
        case abstained
    }

    struct State: ~Copyable {
        var machine = DelegateQueueStateMachine<Message>()
        var delegates: Delegates
        var task: TaskInfo
        /// The answers that the call's delegates have given about servers.
        var verdicts: [Server: Verdict] = [:]
        /// The latest task that delivers messages to the delegates, running or ended; `nil` before the first message.
        var speaker: Task<Void, Never>?
        /// Whether a method of a delegate is running.
        var isSaying = false
        /// The question that a delegate is answering now.
        var asking: (any Question)?
        /// Whether the call has stopped waiting for the delegate's method that is running.
        var isAbandoned = false
        /// Decide which progress of the request body and of the response body is reported.
        var paces = ProgressPaces()
        /// Whether the call itself reports the progress of the content, because several responses contain its parts.
        var callReportsProgress = false
        /// The deadline of the call.
        var deadline: CallDeadline?
        /// The suspensions of the tasks that wait until the last message is delivered, and then resume with `true`.
        var ends: [Suspension<Bool>] = []
    }

    private static let lastID = Atomic<UInt64>(0)

    let state: Mutex<State>
    let clock: any TransportClock
    /// Measures the call.
    let meter: CallMeter
    /// Whether the call or the client has a delegate.
    let hasDelegates: Bool

    init(
        _ delegates: Delegates,
        _ request: Request,
        monitors: [any EventMonitor],
        _ clock: any TransportClock
    ) {
        let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        var bodiless = request
        bodiless.body = nil
        self.state = Mutex(State(delegates: delegates, task: TaskInfo(id: id, request: request)))
        self.clock = clock
        self.hasDelegates = delegates.own != nil || delegates.shared != nil
        self.meter = CallMeter(MonitoredCall(id: id, request: bodiless), monitors: monitors, clock: clock)
    }

    /// The object that answers questions about certificates: this one, or `nil` if there is no delegate.
    var decider: (any TLSDecider)? { self.hasDelegates ? self : nil }

    // MARK: The call's progress

    /// The number of the latest attempt.
    var attempt: Int { self.state.withLock { $0.task.attempt } }

    /// Records that the client is about to send the first request of the call.
    func begin(_ call: HTTPCall) {
        self.state.withLock { $0.deadline = call.deadline }
        self.begin(call.request, attempt: 1)
    }

    /// Records that the client is about to send a request: the first one, or another one after a retry, a challenge or
    /// a redirect.
    func begin(_ request: Request, attempt: Int, isRedirect: Bool = false) {
        self.state.withLock { state in
            state.task.currentRequest = request
            state.task.attempt = attempt
            state.task.sentByteCount = 0
            state.task.receivedByteCount = 0
            state.paces = ProgressPaces()
        }
        if attempt > 1 { self.meter.willSend(request, isRedirect: isRedirect) }
    }

    /// The URL of the current request.
    var currentURL: URL { self.state.withLock { $0.task.currentRequest.url } }

    /// Replaces the request that is about to be sent, within the same attempt.
    func replace(with request: Request) { self.state.withLock { $0.task.currentRequest = request } }

    /// Tells the delegates, as the last message, that the call has ended, and waits until they have handled the
    /// message.
    ///
    /// When the call's deadline passes or its task is cancelled, this method stops waiting, and cancels a delegate's
    /// method that is still running.
    func finish(_ error: ClientError?) async {
        self.finishNow(error)
        guard self.hasDelegates else { return }
        let end = Suspension<Bool>()
        let (isOver, deadline) = self.state.withLock { state in
            let isOver = state.machine.isSilent || state.isAbandoned
            if !isOver { state.ends.append(end) }
            return (isOver, state.deadline)
        }
        if isOver { return }
        let isTold = await end.wait(until: deadline, on: self.clock, onTimeout: { _ in false }, onCancel: false)
        if !isTold { self.abandon() }
    }

    /// Tells the delegates that the call has ended, like ``finish(_:)``, but does not wait.
    func finishNow(_ error: ClientError?) {
        let metrics = self.meter.end(error)
        guard self.hasDelegates else { return self.release() }
        self.post { state in
            let task = state.task
            let progress = Direction.allCases.compactMap { direction in
                state.paces[direction].takeWaiting().map { direction.message(task, $0) }
            }
            return state.machine.finish(
                progress + [
                    .event(task) { await $0.task($1, didCollect: metrics) },
                    .event(task) { await $0.task($1, didCompleteWith: error) },
                ]
            )
        }
    }

    // MARK: Delivering messages

    /// Returns a delegation for background work, or `nil` if the client has no delegate.
    ///
    /// In the background, the client's delegate answers questions about certificates, but receives no events.
    func background(_ request: Request) -> TaskDelegation? {
        guard let shared = self.state.withLock({ $0.delegates.shared }) else { return nil }
        return TaskDelegation(Delegates(own: nil, shared: shared), request, monitors: [], self.clock)
    }

    /// Releases the delegates, which then receive no questions and no events.
    func dismiss() { self.release() }

    /// Reports an event to the call's delegate, and then to the client's delegate.
    ///
    /// - Parameters:
    ///   - isDispensable: Whether to drop the event when too many messages wait. Defaults to `false`.
    ///   - event: Reports the event to one delegate.
    func tell(isDispensable: Bool = false, _ event: @escaping Event) {
        guard self.hasDelegates else { return }
        self.post { state in state.machine.post(.event(state.task, event), isDispensable: isDispensable) }
    }

    /// Adds a message to the queue, and starts a task that delivers it, unless such a task is running.
    func post(_ event: (inout State) -> DelegateQueueStateMachine<Message>.Action) {
        self.state.withLock { state in
            switch event(&state) {
            case .none: break
            case .startDelivering:
                state.speaker = Task.detached(priority: Task.currentPriority) { await self.speak() }
            }
        }
    }

    private func speak(first message: Message? = nil) async {
        if let message { await self.say(message) }
        while true {
            switch self.state.withLock({ $0.machine.next() }) {
            case .say(let message):
                // The call has stopped waiting for the previous method and cancelled this task, so deliver this message
                // in a new task.
                guard !Task.isCancelled else { return self.goOn(with: message) }
                await self.say(message)
            case .stop(let isReleased):
                if isReleased { self.release() }
                return
            }
        }
    }

    private func say(_ message: Message) async {
        let delegates = self.state.withLock { state in
            state.isSaying = true
            if case .question(_, let question) = message { state.asking = question }
            return state.delegates
        }
        switch message {
        case .event(let task, let event):
            if let own = delegates.own { await event(own, task) }
            if let shared = delegates.shared { await event(shared, task) }
        case .question(let task, let question): await question.ask(delegates, task)
        }
        self.state.withLock { state in
            state.isSaying = false
            state.asking = nil
            state.isAbandoned = false
        }
    }

    /// Releases the delegates, and resumes the tasks that wait until the last message is delivered.
    private func release() {
        let ends = self.state.withLock { state in
            state.delegates = Delegates()
            // Release the request bodies, because an open connection may retain this object for a long time.
            state.task.dropBodies()
            defer { state.ends = [] }
            return state.ends
        }
        for end in ends { end.resume(with: true) }
    }

    /// Delivers a message, and the messages after it, in a new task.
    private func goOn(with message: Message) {
        self.state.withLock { state in
            state.speaker = Task.detached(priority: Task.currentPriority) { await self.speak(first: message) }
        }
    }

    /// Stops waiting for the answer to a question, and cancels the task that is asking it.
    func abandon(_ question: any Question) {
        self.abandon { $0.asking === question }
    }

    /// Stops waiting for the delegate's method that is running, and cancels its task.
    private func abandon(where isMeant: (borrowing State) -> Bool = { _ in true }) {
        let (speaker, ends): (Task<Void, Never>?, [Suspension<Bool>]) = self.state.withLock { state in
            guard state.isSaying, isMeant(state) else { return (nil, []) }
            state.isAbandoned = true
            defer { state.ends = [] }
            return (state.speaker, state.ends)
        }
        speaker?.cancel()
        for end in ends { end.resume(with: true) }
    }
}
