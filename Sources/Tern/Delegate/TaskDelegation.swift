// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// Observes one call, and speaks to its delegates: in order, one message at a time, in a task of its own.
///
/// There is one only where there is a delegate, a monitor, or a wish for metrics, so that other calls pay nothing. Where
/// there is no delegate it only has the call measured, and says and asks nothing. Its task runs only while there is
/// something to say. It holds the delegates until the call is over and the last message was said.
final class TaskDelegation: Sendable {
    /// The delegates of a call, in the order in which the client asks them.
    struct Delegates: Sendable {
        /// The call's own.
        var own: (any TaskDelegate)?
        /// The client's.
        var shared: (any TaskDelegate)?
    }

    /// Tells one delegate about an event.
    typealias Event = @Sendable (any TaskDelegate, TaskInfo) async -> Void

    /// What is said to the delegates.
    enum Message: Sendable {
        /// An event, which both are told.
        case event(TaskInfo, Event)
        /// A question, whose answer is awaited elsewhere.
        case question(TaskInfo, any Question)
    }

    /// The server that a question of trust was about; the right answer for one host may be wrong for another.
    struct Server: Hashable {
        var host: String
        var chain: [[UInt8]]
    }

    /// What was said about a server.
    enum Verdict {
        /// The delegates decided, or left it to the evaluation.
        case decided(TrustDecision)
        /// The call's own has no opinion; the client's was not asked.
        case abstained
    }

    struct State: ~Copyable {
        var machine = DelegateQueueStateMachine<Message>()
        var delegates: Delegates
        var task: TaskInfo
        /// What the call's delegates said of servers before.
        var verdicts: [Server: Verdict] = [:]
        /// The task that speaks.
        var speaker: Task<Void, Never>?
        /// Whether a delegate's method runs.
        var isSaying = false
        /// The question that is being asked.
        var asking: (any Question)?
        /// Whether the call no longer waits for the method that runs.
        var isAbandoned = false
        /// When the call's limit of time ends.
        var deadline: CallDeadline?
        /// The waits for the last message to be said; `true` once it is.
        var ends: [Suspension<Bool>] = []
    }

    private static let lastID = Atomic<UInt64>(0)

    let state: Mutex<State>
    let clock: any TransportClock
    /// Measures the call.
    let meter: CallMeter
    /// Whether there is a delegate or a monitor to speak to.
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

    /// Itself, where a delegate answers questions about certificates.
    var decider: (any TLSDecider)? { self.hasDelegates ? self : nil }

    // MARK: The call's progress

    /// The number of the latest attempt.
    var attempt: Int { self.state.withLock { $0.task.attempt } }

    /// The first request is about to be sent.
    func begin(_ call: HTTPCall) {
        self.state.withLock { $0.deadline = call.deadline }
        self.begin(call.request, attempt: 1)
    }

    /// A request is about to be sent: the first, or another after a challenge or a redirect.
    func begin(_ request: Request, attempt: Int, isRedirect: Bool = false) {
        self.state.withLock { state in
            state.task.currentRequest = request
            state.task.attempt = attempt
            state.task.sentByteCount = 0
            state.task.receivedByteCount = 0
        }
        if attempt > 1 { self.meter.willAskAgain(request, isRedirect: isRedirect) }
    }

    /// The request that is about to be sent is another one, though the try is the same.
    func replace(with request: Request) { self.state.withLock { $0.task.currentRequest = request } }

    /// Tells the delegates, last, that the call is over, and waits until they were told.
    ///
    /// It does not wait once the call's time is over or its task is cancelled: a method that still runs is cancelled then.
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
        let isTold = await end.wait(until: deadline, on: self.clock, late: { _ in false }, onCancel: false)
        if !isTold { self.abandon() }
    }

    /// As ``finish(_:)``, without waiting.
    func finishNow(_ error: ClientError?) {
        let metrics = self.meter.end(error)
        guard self.hasDelegates else { return self.release() }
        self.post { state in
            let task = state.task
            return state.machine.finish([
                .event(task) { await $0.task($1, didCollect: metrics) },
                .event(task) { await $0.task($1, didCompleteWith: error) },
            ])
        }
    }

    // MARK: Speaking

    /// A delegation for work in the background: the client's delegate answers questions about certificates, and hears of no
    /// events; `nil` if the client has no delegate.
    func background(_ request: Request) -> TaskDelegation? {
        guard let shared = self.state.withLock({ $0.delegates.shared }) else { return nil }
        return TaskDelegation(Delegates(own: nil, shared: shared), request, monitors: [], self.clock)
    }

    /// From now on no delegate is asked or told anything.
    func dismiss() { self.release() }

    /// Tells both delegates something.
    ///
    /// - Parameters:
    ///   - kind: events of one kind replace each other while they wait; `nil` never does.
    ///   - isDispensable: whether it is left out where too much waits to be said; not by default.
    ///   - change: what the event changes of the task.
    ///   - event: says it.
    func tell(
        kind: Int? = nil,
        isDispensable: Bool = false,
        _ change: (inout TaskInfo) -> Void = { _ in },
        _ event: @escaping Event
    ) {
        guard self.hasDelegates else { return }
        self.post { state in
            change(&state.task)
            return state.machine.post(.event(state.task, event), kind: kind, isDispensable: isDispensable)
        }
    }

    /// Puts an event into the queue, and begins to speak unless another task does.
    func post(_ event: (inout State) -> DelegateQueueStateMachine<Message>.Action) {
        self.state.withLock { state in
            switch event(&state) {
            case .none: break
            case .startSpeaking:
                state.speaker = Task.detached(priority: Task.currentPriority) { await self.speak() }
            }
        }
    }

    private func speak(first message: Message? = nil) async {
        if let message { await self.say(message) }
        while true {
            switch self.state.withLock({ $0.machine.next() }) {
            case .say(let message):
                // The method before was abandoned, and its task cancelled; this one is not.
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

    /// The last message was said.
    private func release() {
        let ends = self.state.withLock { state in
            state.delegates = Delegates()
            // The connection may hold this object for as long as it is kept.
            state.task.dropBodies()
            defer { state.ends = [] }
            return state.ends
        }
        for end in ends { end.resume(with: true) }
    }

    /// Continues with a message in another task.
    private func goOn(with message: Message) {
        self.state.withLock { state in
            state.speaker = Task.detached(priority: Task.currentPriority) { await self.speak(first: message) }
        }
    }

    /// Stops waiting for the answer to a question, and cancels the task in which a delegate is asked.
    func abandon(_ question: any Question) {
        self.abandon { $0.asking === question }
    }

    /// Stops waiting for the method that runs, and cancels its task.
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
