// SPDX-License-Identifier: Apache-2.0

/// What waits to be sent on a connection and who waits for room: events in, actions out, no effects.
///
/// The sending half of a connection's mailbox; ``Outbox`` performs what it says. It counts bytes and does not see them.
package struct OutboxStateMachine: Sendable {
    /// What a wait for room gives in the end.
    package typealias RoomResult = Result<Void, ConnectionError>

    /// What to do for a task that sends something.
    package enum WriteAction {
        /// Queue it; when `flushes`, have the network take the queue. Then go on at once.
        case queue(flushes: Bool)
        /// Queue it as above, then suspend the task until there is room, and report ``suspended(_:)``.
        case queueAndWait(Writer, flushes: Bool)
        /// The connection can send no more.
        case fail(ConnectionError)
    }

    /// What to do after an event from the network, the clock or the writer's task.
    package struct Effects {
        /// Resume the suspended writer with this.
        package var resume: RoomResult?
        /// Have ``timerFired(now:)`` called at this instant.
        package var armTimer: Instant?
    }

    /// A task that waits for room.
    package struct Writer: Equatable, Sendable {
        fileprivate var number: Int
        fileprivate var deadline: Deadline?
    }

    private enum State {
        /// Nobody waits. Left by a write that finds no room.
        case idle
        /// The writer's task suspends just now. Left when it has, or when it is cancelled first.
        case suspending(Writer)
        /// The writer was cancelled before it had suspended. Left when it has.
        case cancelledEarly(Writer)
        /// The writer is suspended. Left when room, a failure, its deadline or its cancellation come.
        case waiting(Writer)
    }

    private var state = State.idle
    private var queuedByteCount: Int64 = 0
    private var isFlushScheduled = false
    private var isWritable = true
    private var failure: ConnectionError?
    private var writerCount = 0
    private var timer = DeadlineTimer()
    private let limit: Int64

    /// Creates an empty outbox that has room while less than `limit` bytes are queued.
    package init(limit: Int) { self.limit = Int64(limit) }

    private var hasRoom: Bool { self.isWritable && self.queuedByteCount < self.limit }

    /// The instant that was last named to arm a timer, until it has come.
    package var armedInstant: Instant? { self.timer.armedInstant }

    // MARK: The writer

    /// A task sends `byteCount` bytes.
    package mutating func writeRequested(byteCount: Int64, deadline: Deadline?) -> WriteAction {
        if let failure = self.failure { return .fail(failure) }
        self.queuedByteCount += byteCount
        let flushes = !self.isFlushScheduled
        self.isFlushScheduled = true
        guard !self.hasRoom, case .idle = self.state else { return .queue(flushes: flushes) }
        self.writerCount += 1
        let writer = Writer(number: self.writerCount, deadline: deadline)
        self.state = .suspending(writer)
        return .queueAndWait(writer, flushes: flushes)
    }

    /// The writer's task is suspended and can be resumed.
    package mutating func suspended(_ writer: Writer) -> Effects {
        switch self.state {
        case .cancelledEarly(writer):
            self.state = .idle
            return Effects(resume: .failure(.cancelled))
        case .suspending(writer):
            self.state = .waiting(writer)
            var effects = self.satisfied()
            if effects.resume == nil { effects.armTimer = self.timer.wait(until: writer.deadline) }
            return effects
        default:
            unreachable("suspended", in: "\(self.state)")
        }
    }

    /// The writer's task was cancelled.
    package mutating func cancelled(_ writer: Writer) -> Effects {
        switch self.state {
        case .waiting(writer):
            self.state = .idle
            return Effects(resume: .failure(.cancelled))
        case .suspending(writer):
            self.state = .cancelledEarly(writer)
            return Effects()
        default:
            return Effects()
        }
    }

    // MARK: The network and the clock

    /// The network took the whole queue.
    package mutating func flushed() {
        self.isFlushScheduled = false
        self.queuedByteCount = 0
    }

    /// The network can take more, or cannot; comes after ``flushed()`` too.
    package mutating func writabilityChanged(_ isWritable: Bool) -> Effects {
        self.isWritable = isWritable
        return self.satisfied()
    }

    /// The connection can send no more.
    package mutating func failed(_ failure: ConnectionError) -> Effects {
        if self.failure == nil { self.failure = failure }
        return self.satisfied()
    }

    /// The instant that was last named to arm a timer has come.
    package mutating func timerFired(now: Instant) -> Effects {
        self.timer.fired()
        guard case .waiting(let writer) = self.state, let deadline = writer.deadline else { return Effects() }
        guard deadline.instant <= now else { return Effects(armTimer: self.timer.wait(until: deadline)) }
        self.state = .idle
        return Effects(resume: .failure(.timedOut(deadline)))
    }

    private mutating func satisfied() -> Effects {
        guard case .waiting = self.state, self.hasRoom || self.failure != nil else { return Effects() }
        self.state = .idle
        return Effects(resume: self.failure.map { .failure($0) } ?? .success(()))
    }
}
