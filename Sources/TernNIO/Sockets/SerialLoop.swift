// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Dispatch
import NIOCore
import Synchronization
import TernCLibrary
import TernConnections

/// An event loop without its own thread, so that no thread needs to wake up for its tasks.
///
/// The thread that brings a task performs it, unless another thread is performing tasks of the loop, which then performs this
/// one, too. So that no thread works for others without end, it performs only some tasks of others in one turn.
final class SerialLoop: EventLoop {
    typealias Work = @Sendable () -> Void

    private struct Waiting {
        var isHeld = false
        var tasks = Deque<Work>()
    }

    /// The most tasks of others that a thread performs in one turn: more than usually wait, because a change of threads is slow.
    static let budget = 16

    private let waiting = Mutex(Waiting())
    /// The thread that performs tasks; 0 if there is none.
    private let holder = Atomic<UInt>(0)
    /// Calls its argument later, on another thread, which may wait for locks and performs what exceeds a budget.
    private let handOver: @Sendable (@escaping Work) -> Void

    init(handingOver handOver: @escaping @Sendable (@escaping Work) -> Void) { self.handOver = handOver }

    var inEventLoop: Bool { self.holder.load(ordering: .relaxed) == Self.currentThread }

    /// The identifier of this thread, which is a number or a pointer, by platform.
    private static var currentThread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

    // MARK: Performing

    /// Performs a task after all earlier tasks: on this thread, or on the thread that is performing tasks now.
    func execute(_ task: @escaping Work) { self.execute(task, budget: Self.budget) }

    /// Performs a task like ``execute(_:)``, but no other tasks, so that a thread that writes does not decrypt for a reader.
    func executeAlone(_ task: @escaping Work) { self.execute(task, budget: 0) }

    private func execute(_ task: @escaping Work, budget: Int) {
        guard let isNext = self.begin(with: task) else { return }
        if isNext { task() }
        self.end(budget)
    }

    /// Performs a task now, after all earlier tasks; returns `nil` if a thread is performing tasks, or more wait than the budget.
    @discardableResult
    func executeIfFree<Result>(budget: Int = SerialLoop.budget, _ task: () -> Result) -> Result? {
        guard let isNext = self.begin(with: nil), isNext || self.catchUp(budget) else { return nil }
        let result = task()
        self.end(budget)
        return result
    }

    /// Begins the turn of this thread, and returns whether `task` comes next; `nil` if a thread already has its turn.
    private func begin(with task: Work?) -> Bool? {
        SlowWork.begins()
        let isNext: Bool? = self.waiting.withLock { waiting in
            let isNext = !waiting.isHeld && waiting.tasks.isEmpty
            if let task, !isNext { waiting.tasks.append(task) }
            guard !waiting.isHeld else { return nil }
            waiting.isHeld = true
            return isNext
        }
        if isNext != nil { self.holder.store(Self.currentThread, ordering: .relaxed) }
        return isNext
    }

    /// Performs the tasks that wait; if there are more than the budget, ends the turn of this thread, and returns `false`.
    private func catchUp(_ budget: Int) -> Bool {
        for _ in 0..<budget {
            guard let task = self.waiting.withLock({ $0.tasks.popFirst() }) else { return true }
            task()
        }
        self.leave()
        return false
    }

    /// Performs the tasks that have come meanwhile, up to the budget, and then ends the turn of this thread.
    private func end(_ budget: Int) {
        for _ in 0..<budget {
            guard let task = self.nextOrRelease() else { return }
            task()
        }
        self.leave()
    }

    private func nextOrRelease() -> Work? {
        self.waiting.withLock { waiting in
            if let task = waiting.tasks.popFirst() { return task }
            self.release(&waiting)
            return nil
        }
    }

    /// Ends the turn of this thread; another thread performs the tasks that wait.
    private func leave() {
        let hasMore = self.waiting.withLock { waiting in
            self.release(&waiting)
            return !waiting.tasks.isEmpty
        }
        guard hasMore else { return }
        self.handOver { if self.begin(with: nil) != nil { self.end(Self.budget) } }
    }

    private func release(_ waiting: inout Waiting) {
        self.holder.store(0, ordering: .relaxed)
        waiting.isHeld = false
    }

    // MARK: Timers

    @discardableResult
    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        self.scheduleTask(in: deadline - .now(), task)
    }

    @discardableResult
    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = self.makePromise(of: T.self)
        let pending = PendingTimer()
        let clock = SystemClock()
        let timer = clock.schedule(at: clock.now.advanced(by: .nanoseconds(delay.nanoseconds))) { [self] in
            // The clock's thread serves all timers, and must not do the work of a connection.
            self.handOver {
                self.execute {
                    guard pending.end() else { return }
                    promise.assumeIsolated().completeWith(Swift.Result { try task() })
                }
            }
        }
        pending.hold(timer)
        return Scheduled(promise: promise) { _ = pending.end() }
    }

    // MARK: The group

    func next() -> any EventLoop { self }
    func any() -> any EventLoop { self }
    func makeIterator() -> EventLoopIterator { EventLoopIterator([self]) }

    /// Fails, because the loop ends with its last reference.
    func shutdownGracefully(queue: DispatchQueue, _ callback: @Sendable @escaping ((any Error)?) -> Void) {
        queue.async { callback(EventLoopError.unsupportedOperation) }
    }
}

/// Holds a timer until it has fired or was cancelled, because the caller need not hold the `Scheduled`.
private final class PendingTimer: Sendable {
    private enum State {
        /// Until the timer is set, or has fired.
        case new
        case held(ScheduledAction)
        case over
    }

    private let state = Mutex(State.new)

    func hold(_ timer: ScheduledAction) {
        let isOver = self.state.withLock { state in
            if case .over = state { return true }
            state = .held(timer)
            return false
        }
        if isOver { timer.cancel() }
    }

    /// Cancels the timer, or releases it after it has fired; returns `false` if it has ended before.
    func end() -> Bool {
        let (timer, isFirst): (ScheduledAction?, Bool) = self.state.withLock { state in
            defer { state = .over }
            switch state {
            case .new: return (nil, true)
            case .held(let timer): return (timer, true)
            case .over: return (nil, false)
            }
        }
        timer?.cancel()
        return isFirst
    }
}
