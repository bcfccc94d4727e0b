// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import Synchronization
import TernConnections

#if canImport(Dispatch)
import Dispatch
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An event loop without a thread: the thread that brings a task performs it, unless another thread is performing tasks
/// of the loop. Then that thread performs it, too.
///
/// So tasks run one after another, as on the thread of a usual event loop, but no thread must be woken for them.
final class SerialLoop: EventLoop {
    typealias Work = @Sendable () -> Void

    private struct Waiting {
        var isHeld = false
        var tasks = Deque<Work>()
    }

    private let waiting = Mutex(Waiting())
    /// The thread that performs tasks; 0 if there is none.
    private let holder = Atomic<UInt>(0)
    /// Calls its argument later, on another thread.
    private let handOver: @Sendable (@escaping Work) -> Void

    /// Creates a loop.
    ///
    /// - Parameter handOver: Calls its argument later, on another thread, which may wait for locks.
    init(handingOver handOver: @escaping @Sendable (@escaping Work) -> Void) { self.handOver = handOver }

    var inEventLoop: Bool { self.holder.load(ordering: .relaxed) == Self.currentThread }

    private static var currentThread: UInt {
        #if canImport(Glibc)
        pthread_self()
        #else
        unsafeBitCast(pthread_self(), to: UInt.self)
        #endif
    }

    // MARK: Performing

    /// Performs a task now, unless a thread performs tasks; then that thread performs this task after the others.
    func execute(_ task: @escaping Work) {
        guard self.begin(orLeave: task) else { return }
        task()
        self.end()
    }

    /// Performs a task now like ``execute(_:)``, but no other task on this thread.
    ///
    /// If other tasks have come meanwhile, another thread performs them. So a caller that holds a lock can call this
    /// method, if `task` does not need the lock.
    func executeAlone(_ task: @escaping Work) {
        guard self.begin(orLeave: task) else { return }
        task()
        self.release(drains: false)
    }

    /// Performs a task now, unless a thread performs tasks.
    ///
    /// - Returns: `nil` if another thread performs tasks.
    func executeIfFree<Result>(_ task: () -> Result) -> Result? {
        guard self.begin(orLeave: nil) else { return nil }
        let result = task()
        self.end()
        return result
    }

    private func begin(orLeave task: Work?) -> Bool {
        let begins = self.waiting.withLock { waiting in
            if waiting.isHeld {
                if let task { waiting.tasks.append(task) }
                return false
            }
            waiting.isHeld = true
            return true
        }
        if begins { self.holder.store(Self.currentThread, ordering: .relaxed) }
        return begins
    }

    private func end() { self.release(drains: true) }

    /// Ends the turn of this thread, after the tasks that have come meanwhile.
    private func release(drains: Bool) {
        while true {
            let task: Work? = self.waiting.withLock { waiting in
                guard drains || waiting.tasks.isEmpty else { return nil }
                if let task = waiting.tasks.popFirst() { return task }
                self.holder.store(0, ordering: .relaxed)
                waiting.isHeld = false
                return nil
            }
            guard let task else { break }
            task()
        }
        guard !drains else { return }
        let hasMore = self.waiting.withLock { waiting in
            self.holder.store(0, ordering: .relaxed)
            waiting.isHeld = false
            return !waiting.tasks.isEmpty
        }
        if hasMore { self.handOver { self.execute {} } }
    }

    // MARK: Timers

    @discardableResult
    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        self.scheduleTask(in: deadline - .now(), task)
    }

    @discardableResult
    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = self.makePromise(of: T.self)
        let clock = SystemClock()
        let instant = clock.now.advanced(by: .nanoseconds(delay.nanoseconds))
        let timer = clock.schedule(at: instant) { [self] in
            self.execute { promise.assumeIsolated().completeWith(Swift.Result { try task() }) }
        }
        return Scheduled(promise: promise) { timer.cancel() }
    }

    // MARK: The group

    func next() -> any EventLoop { self }
    func any() -> any EventLoop { self }
    func makeIterator() -> EventLoopIterator { EventLoopIterator([self]) }

    #if canImport(Dispatch)
    /// Fails, because the loop ends with its last reference.
    func shutdownGracefully(queue: DispatchQueue, _ callback: @Sendable @escaping ((any Error)?) -> Void) {
        queue.async { callback(EventLoopError.unsupportedOperation) }
    }
    #endif
}
