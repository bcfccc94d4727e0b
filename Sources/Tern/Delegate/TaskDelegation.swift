// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Observes one call, measures it, and reports its events and questions to its delegates, in order and one message at a time.
///
/// A call has such an object if it has a delegate or a monitor, collects metrics, or is an upload that can be resumed. The task
/// that calls the delegates runs only while messages wait. The delegates are retained until the last message was delivered.
final class TaskDelegation: Sendable {
    struct Delegates: Sendable {
        var own: (any TaskDelegate)?
        var shared: (any TaskDelegate)?
    }

    /// Whether the final event of a stream has arrived, so that the end of the body is a success in any case.
    var hasWholeContent: Bool {
        get { self.isContentWhole.load(ordering: .relaxed) }
        set { self.isContentWhole.store(newValue, ordering: .relaxed) }
    }

    private let isContentWhole = Atomic(false)

    typealias Event = @Sendable (any TaskDelegate, TaskInfo) async -> Void

    enum Message: Sendable {
        case event(TaskInfo, Event)
        case question(TaskInfo, any Question)
    }

    struct State: ~Copyable {
        var machine = DelegateQueueStateMachine<Message>()
        var delegates: Delegates
        var progress: CallProgress
        var verdicts = ServerVerdicts()
        /// The latest task that delivers messages to the delegates, running or ended.
        var speaker: Task<Void, Never>?
        var deadline: CallDeadline?
    }

    private static let lastID = Atomic<UInt64>(0)

    let state: Mutex<State>
    let clock: any TransportClock
    let meter: CallMeter
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
        let progress = CallProgress(TaskInfo(id: id, request: request))
        self.state = Mutex(State(delegates: delegates, progress: progress))
        self.clock = clock
        self.hasDelegates = delegates.own != nil || delegates.shared != nil
        self.meter = CallMeter(MonitoredCall(id: id, request: bodiless), monitors: monitors, clock: clock)
    }

    /// The object that answers questions about certificates; `nil` if there is no delegate.
    var decider: (any TLSDecider)? { self.hasDelegates ? self : nil }

    // MARK: The call's progress

    var attempt: Int { self.state.withLock { $0.progress.task.attempt } }

    func begin(_ call: HTTPCall) {
        self.state.withLock { $0.deadline = call.deadline }
        self.begin(call.request, attempt: 1)
    }

    /// Records that the client is about to send a request: the first one, or one after a retry, a challenge or a redirect.
    func begin(_ request: Request, attempt: Int, isRedirect: Bool = false) {
        self.state.withLock { $0.progress.begin(request, attempt: attempt) }
        if attempt > 1 { self.meter.willSend(request, attempt: attempt, isRedirect: isRedirect) }
    }

    var currentURL: URL { self.state.withLock { $0.progress.task.currentRequest.url } }

    var currentMethod: HTTPRequest.Method { self.state.withLock { $0.progress.task.currentRequest.method } }

    /// Replaces the request that is about to be sent, within the same attempt.
    func replace(with request: Request) { self.state.withLock { $0.progress.replace(with: request) } }

    /// Tells the delegates, as the last message, that the call has ended, and waits for them until the call's deadline or
    /// cancellation.
    func finish(_ error: ClientError?) async {
        guard self.hasDelegates else { return self.finishNow(error) }
        let end = Suspension<Bool>()
        self.finish(error, awaitedBy: end)
        let deadline = self.state.withLock { $0.deadline }
        let isTold = await end.wait(until: deadline, on: self.clock, onTimeout: { _ in false }, onCancel: false)
        if !isTold { self.abandon() }
    }

    func finishNow(_ error: ClientError?) { self.finish(error, awaitedBy: nil) }

    private func finish(_ error: ClientError?, awaitedBy end: Suspension<Bool>?) {
        let metrics = self.meter.end(error)
        guard self.hasDelegates else { return self.release() }
        self.perform { state in
            let task = state.progress.task
            let progress = state.progress.takeWaiting().map { $0.direction.message(task, $0.progress) }
            return state.machine.finish(
                progress + [
                    .event(task) { await $0.task($1, didCollect: metrics) },
                    .event(task) { await $0.task($1, didCompleteWith: error) },
                ],
                awaitedBy: end
            )
        }
    }

    // MARK: Delivering messages

    /// Returns a delegation for background work, whose events no delegate receives; `nil` if the client has no delegate.
    func background(_ request: Request) -> TaskDelegation? {
        guard let shared = self.state.withLock({ $0.delegates.shared }) else { return nil }
        return TaskDelegation(Delegates(own: nil, shared: shared), request, monitors: [], self.clock)
    }

    func dismiss() { self.release() }

    /// Reports an event to both delegates; a dispensable one is dropped when too many messages wait.
    func tell(isDispensable: Bool = false, _ event: @escaping Event) {
        guard self.hasDelegates else { return }
        self.post { state in state.machine.post(.event(state.progress.task, event), isDispensable: isDispensable) }
    }

    /// Adds a message to the queue, and starts a task that delivers it, unless such a task is running.
    func post(_ event: (inout State) -> DelegateQueueStateMachine<Message>.Action) {
        self.state.withLock { state in
            let action = event(&state)
            self.perform(action, &state)
        }
    }

    func perform(_ action: DelegateQueueStateMachine<Message>.Action, _ state: inout State) {
        switch action {
        case .none: break
        case .startDelivering: self.startSpeaking(&state)
        }
    }

    private func startSpeaking(_ state: inout State) {
        state.speaker = Task.detached(priority: Task.currentPriority) { await self.speak() }
    }

    private func speak() async {
        while true {
            let (step, delegates) = self.state.withLock { state in
                let step = state.machine.next()
                if case .handOver = step { self.startSpeaking(&state) }
                // The last step retains no delegate, because a task that waits for it may release the delegate then.
                guard case .say = step else { return (step, Delegates()) }
                return (step, state.delegates)
            }
            switch step {
            case .say(let message): await Self.say(message, to: delegates)
            case .handOver: return
            case .stop(let isReleased):
                if isReleased { self.release() }
                return
            }
        }
    }

    private static func say(_ message: Message, to delegates: Delegates) async {
        switch message {
        case .event(let task, let event):
            if let own = delegates.own { await event(own, task) }
            if let shared = delegates.shared { await event(shared, task) }
        case .question(let task, let question): await question.ask(delegates, task)
        }
    }

    /// Releases the delegates, and resumes the tasks that wait until the last message is delivered.
    private func release() {
        let waits = self.state.withLock { state in
            state.delegates = Delegates()
            state.progress.dropBodies()
            return state.machine.released()
        }
        for wait in waits { wait.resume(with: true) }
    }

    /// Stops waiting for the delegate's method that is running, and cancels its task, unless `question` names another question.
    func abandon(_ question: DelegateQueueStateMachine<Message>.Question? = nil) {
        self.perform { $0.machine.abandon(question) }
    }

    private func perform(_ event: (inout State) -> DelegateQueueStateMachine<Message>.Effects) {
        let (effects, speaker) = self.state.withLock { state in
            let effects = event(&state)
            let speaker = effects.cancelsDelivering ? state.speaker : nil
            self.perform(effects.action, &state)
            return (effects, speaker)
        }
        speaker?.cancel()
        for case .question(_, let question) in effects.endedQuestions { question.end() }
        for wait in effects.endWaits { wait.resume(with: true) }
    }
}
