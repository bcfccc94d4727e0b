// SPDX-License-Identifier: Apache-2.0

/// Counts the bytes that are queued on a connection, and tracks the tasks that wait for room, as the logic of ``Outbox``.
package struct OutboxStateMachine: Sendable {
    package typealias RoomResult = Result<Void, ConnectionError>

    package enum QueueAction {
        /// Queue the piece; `flushes` asks the network to take the queue.
        case queue(flushes: Bool, hasRoom: Bool)
        case fail(ConnectionError)
    }

    package enum RoomAction {
        case go
        /// Suspend the task, and call ``suspended(_:)``.
        case wait(Writer)
        case fail(ConnectionError)
    }

    package struct Effects {
        package var resume: [(writer: Writer, result: RoomResult)] = []
        package var armTimer: ClockInstant?
    }

    package struct Writer: Hashable, Sendable {
        fileprivate var number: Int
        fileprivate var deadline: CallDeadline?
    }

    private enum Phase {
        /// Until the task has suspended, or is cancelled before that.
        case suspending
        /// The task was cancelled before it had suspended; lasts until it has.
        case cancelledEarly
        /// The task has suspended; lasts until there is room, a failure, the deadline or a cancellation.
        case waiting
    }

    private var waiters: [(writer: Writer, phase: Phase)] = []
    private var queuedByteCount: Int64 = 0
    private var isFlushScheduled = false
    /// The number of times that the network took the queue, and the number of taken queues that it has sent.
    private var (takenCount, sentCount) = (0, 0)
    private var isWritable = true
    private var failure: ConnectionError?
    private var writerCount = 0
    private var timer = DeadlineTimer()
    private let limit: Int64

    package init(limit: Int) { self.limit = Int64(limit) }

    private var hasRoom: Bool { self.isWritable && self.queuedByteCount < self.limit }

    package var isEmpty: Bool { !self.isFlushScheduled && self.sentCount == self.takenCount }

    package var armedInstant: ClockInstant? { self.timer.armedInstant }

    // MARK: The writers

    package mutating func queued(byteCount: Int64) -> QueueAction {
        if let failure = self.failure { return .fail(failure) }
        self.queuedByteCount += byteCount
        let flushes = !self.isFlushScheduled
        self.isFlushScheduled = true
        return .queue(flushes: flushes, hasRoom: self.hasRoom)
    }

    package mutating func roomRequested(deadline: CallDeadline?) -> RoomAction {
        if let failure = self.failure { return .fail(failure) }
        if self.hasRoom { return .go }
        self.writerCount += 1
        let writer = Writer(number: self.writerCount, deadline: deadline)
        self.waiters.append((writer, .suspending))
        return .wait(writer)
    }

    /// Records that the writer's task has suspended, and can be resumed.
    package mutating func suspended(_ writer: Writer) -> Effects {
        guard let index = self.waiters.firstIndex(where: { $0.writer == writer }) else {
            unreachable("suspended", in: "without \(writer)")
        }
        if case .cancelledEarly = self.waiters[index].phase {
            self.waiters.remove(at: index)
            return Effects(resume: [(writer, .failure(.cancelled))])
        }
        self.waiters[index].phase = .waiting
        var effects = self.satisfied()
        if effects.resume.isEmpty { effects.armTimer = self.timer.wait(until: writer.deadline) }
        return effects
    }

    package mutating func cancelled(_ writer: Writer) -> Effects {
        guard let index = self.waiters.firstIndex(where: { $0.writer == writer }) else { return Effects() }
        guard case .waiting = self.waiters[index].phase else {
            self.waiters[index].phase = .cancelledEarly
            return Effects()
        }
        self.waiters.remove(at: index)
        return Effects(resume: [(writer, .failure(.cancelled))])
    }

    // MARK: The network and the clock

    /// Records that the network took the whole queue, and returns its number for ``sent(upTo:)``.
    package mutating func flushed() -> Int {
        if self.isFlushScheduled { self.takenCount += 1 }
        self.isFlushScheduled = false
        self.queuedByteCount = 0
        return self.takenCount
    }

    package mutating func sent(upTo number: Int) { self.sentCount = max(self.sentCount, number) }

    /// Records whether the network can take more; must follow ``flushed()``, too, because an empty queue has room.
    package mutating func writabilityChanged(_ isWritable: Bool) -> Effects {
        self.isWritable = isWritable
        return self.satisfied()
    }

    package mutating func failed(_ failure: ConnectionError) -> Effects {
        if self.failure == nil { self.failure = failure }
        self.timer.disarm()
        return self.satisfied()
    }

    package mutating func timerFired(now: ClockInstant) -> Effects {
        self.timer.fired()
        var effects = Effects()
        for (writer, phase) in self.waiters where phase == .waiting {
            guard let deadline = writer.deadline else { continue }
            if deadline.instant <= now {
                effects.resume.append((writer, .failure(.timedOut(deadline))))
            } else if let instant = self.timer.wait(until: deadline) {
                effects.armTimer = instant
            }
        }
        if !effects.resume.isEmpty {
            self.waiters.removeAll { waiter in effects.resume.contains { $0.writer == waiter.writer } }
        }
        return effects
    }

    /// Resumes all waiting writers if there is room again, or if the connection has failed.
    private mutating func satisfied() -> Effects {
        guard !self.waiters.isEmpty, self.hasRoom || self.failure != nil else { return Effects() }
        let result: RoomResult = self.failure.map { .failure($0) } ?? .success(())
        let resumed = self.waiters.filter { $0.phase == .waiting }.map { (writer: $0.writer, result: result) }
        self.waiters.removeAll { $0.phase == .waiting }
        return Effects(resume: resumed)
    }
}
