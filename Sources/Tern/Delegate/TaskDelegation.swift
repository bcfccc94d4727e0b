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

    struct State: ~Copyable {
        var machine = DelegateQueueStateMachine<Message>()
        var delegates: Delegates
        var progress: CallProgress
        var verdicts = ServerVerdicts()
        /// The latest task that delivers messages to the delegates, running or ended; `nil` before the first message.
        var speaker: Task<Void, Never>?
        /// The deadline of the call.
        var deadline: CallDeadline?
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
        let progress = CallProgress(TaskInfo(id: id, request: request))
        self.state = Mutex(State(delegates: delegates, progress: progress))
        self.clock = clock
        self.hasDelegates = delegates.own != nil || delegates.shared != nil
        self.meter = CallMeter(MonitoredCall(id: id, request: bodiless), monitors: monitors, clock: clock)
    }

    /// The object that answers questions about certificates: this one, or `nil` if there is no delegate.
    var decider: (any TLSDecider)? { self.hasDelegates ? self : nil }

    // MARK: The call's progress

    /// The number of the latest attempt.
    var attempt: Int { self.state.withLock { $0.progress.task.attempt } }

    /// Records that the client is about to send the first request of the call.
    func begin(_ call: HTTPCall) {
        self.state.withLock { $0.deadline = call.deadline }
        self.begin(call.request, attempt: 1)
    }

    /// Records that the client is about to send a request: the first one, or another one after a retry, a challenge or
    /// a redirect.
    func begin(_ request: Request, attempt: Int, isRedirect: Bool = false) {
        self.state.withLock { $0.progress.begin(request, attempt: attempt) }
        if attempt > 1 { self.meter.willSend(request, isRedirect: isRedirect) }
    }

    /// The URL of the current request.
    var currentURL: URL { self.state.withLock { $0.progress.task.currentRequest.url } }

    /// Replaces the request that is about to be sent, within the same attempt.
    func replace(with request: Request) { self.state.withLock { $0.progress.replace(with: request) } }

    /// Tells the delegates, as the last message, that the call has ended, and waits until they have handled the
    /// message.
    ///
    /// When the call's deadline passes or its task is cancelled, this method stops waiting, and cancels a delegate's
    /// method that is still running.
    func finish(_ error: ClientError?) async {
        guard self.hasDelegates else { return self.finishNow(error) }
        let end = Suspension<Bool>()
        self.finish(error, awaitedBy: end)
        let deadline = self.state.withLock { $0.deadline }
        let isTold = await end.wait(until: deadline, on: self.clock, onTimeout: { _ in false }, onCancel: false)
        if !isTold { self.abandon() }
    }

    /// Tells the delegates that the call has ended, like ``finish(_:)``, but does not wait.
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
        self.post { state in state.machine.post(.event(state.progress.task, event), isDispensable: isDispensable) }
    }

    /// Adds a message to the queue, and starts a task that delivers it, unless such a task is running.
    func post(_ event: (inout State) -> DelegateQueueStateMachine<Message>.Action) {
        self.state.withLock { state in
            let action = event(&state)
            self.perform(action, &state)
        }
    }

    /// Starts a task that delivers messages, if the action says so.
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

    /// Stops waiting for the delegate's method that is running, and cancels its task.
    ///
    /// - Parameter question: If it is not `nil`, does nothing unless the method answers this question. Defaults to
    ///   `nil`.
    func abandon(_ question: DelegateQueueStateMachine<Message>.Question? = nil) {
        self.perform { $0.machine.abandon(question) }
    }

    /// Passes an event to the state machine, and performs its effects.
    private func perform(_ event: (inout State) -> DelegateQueueStateMachine<Message>.Effects) {
        let (effects, speaker) = self.state.withLock { state in
            let effects = event(&state)
            let speaker = effects.cancelsDelivering ? state.speaker : nil
            self.perform(effects.action, &state)
            return (effects, speaker)
        }
        speaker?.cancel()
        for wait in effects.endWaits { wait.resume(with: true) }
    }
}
