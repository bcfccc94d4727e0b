// SPDX-License-Identifier: Apache-2.0
import DequeModule
package import NIOCore

/// What has arrived on a connection and who waits for it: events in, actions out, no effects.
///
/// The receiving half of a connection's mailbox. It knows neither sockets nor threads; ``Inbox`` performs what it says.
package struct InboxStateMachine: Sendable {
    /// What a read gives in the end.
    package typealias ReadResult = Result<ByteBuffer?, ConnectionError>

    /// What to do for a task that wants bytes.
    package enum ReadAction {
        /// Give it this now; when `resumesReading`, ask the network for more.
        case give(ReadResult, resumesReading: Bool)
        /// When `resumesReading`, ask the network for more; suspend the task, then report ``suspended(_:)``.
        case wait(Reader, resumesReading: Bool)
    }

    /// What to do after an event from the network, the clock or the reader's task.
    package struct Effects {
        /// Resume the suspended reader with this.
        package var resume: ReadResult?
        /// Ask the network for more bytes.
        package var resumesReading = false
        /// Have ``timerFired(now:)`` called at this instant, in place of any instant named before.
        package var armTimer: ClockInstant?
        /// Run the action that was asked for when the peer's side has ended.
        package var reportsEnd = false
    }

    /// A task that wants bytes.
    package struct Reader: Equatable, Sendable {
        fileprivate var number: Int
        fileprivate var minimum: Int
        fileprivate var deadline: CallDeadline?
    }

    private enum State {
        /// No task waits. Left by a read that finds too few bytes.
        case idle
        /// The reader's task suspends just now. Left when it has, or when it is cancelled first.
        case suspending(Reader)
        /// The reader was cancelled before it had suspended. Left when it has.
        case cancelledEarly(Reader)
        /// The reader is suspended. Left when bytes, the end, its deadline or its cancellation come.
        case waiting(Reader)
    }

    /// How long a piece may be that is joined to the one before it: a copy of so little costs less than another turn.
    private static let joinedByteCount = 1024

    private var state = State.idle
    private var chunks = Deque<ByteBuffer>()
    private var byteCount = 0
    private var end: ConnectionError??
    private var isPaused = false
    private var readerCount = 0
    private var standingDeadline: CallDeadline?
    private var timer = DeadlineTimer()
    private let limit: Int

    /// Creates an empty inbox that stops reading while it holds `limit` bytes or more.
    package init(limit: Int) { self.limit = limit }

    /// Whether nothing is buffered and nothing has ended, so that a new exchange may begin.
    package var isPristine: Bool { self.byteCount == 0 && self.end == nil }

    /// Whether the peer's side has ended, or this one was closed.
    package var hasEnded: Bool { self.end != nil }

    /// The instant that was last named to arm a timer, until it has come.
    package var armedInstant: ClockInstant? { self.timer.armedInstant }

    // MARK: The reader

    /// A task wants at least `minimum` bytes.
    package mutating func readRequested(atLeast minimum: Int, deadline: CallDeadline?) -> ReadAction {
        guard case .idle = self.state else { return .give(.failure(.concurrentReads), resumesReading: false) }
        let minimum = max(1, min(minimum, self.limit))
        if self.byteCount >= minimum || self.end != nil {
            let result = self.takeResult()
            return .give(result, resumesReading: self.resumesReading())
        }
        self.readerCount += 1
        let reader = Reader(number: self.readerCount, minimum: minimum, deadline: deadline)
        self.state = .suspending(reader)
        // Who waits for more than is there must not wait for a network that was told to pause.
        let resumesReading = self.isPaused
        self.isPaused = false
        return .wait(reader, resumesReading: resumesReading)
    }

    /// The reader's task is suspended and can be resumed.
    package mutating func suspended(_ reader: Reader) -> Effects {
        switch self.state {
        case .cancelledEarly(reader):
            self.state = .idle
            return Effects(resume: .failure(.cancelled))
        case .suspending(reader):
            self.state = .waiting(reader)
            var effects = self.satisfied()
            if effects.resume == nil { effects.armTimer = self.timer.wait(until: self.deadline(of: reader)) }
            return effects
        default:
            unreachable("suspended", in: "\(self.state)")
        }
    }

    /// The reader's task was cancelled.
    package mutating func cancelled(_ reader: Reader) -> Effects {
        switch self.state {
        case .waiting(reader):
            self.state = .idle
            return Effects(resume: .failure(.cancelled))
        case .suspending(reader):
            self.state = .cancelledEarly(reader)
            return Effects()
        default:
            return Effects()
        }
    }

    /// From now on, and for a reader that waits already, no read may last longer than this.
    package mutating func readsLimited(to deadline: CallDeadline?) -> Effects {
        self.standingDeadline = deadline
        guard case .waiting(let reader) = self.state else { return Effects() }
        return Effects(armTimer: self.timer.wait(until: self.deadline(of: reader)))
    }

    /// A task takes what is there, without waiting.
    package mutating func taken() -> (bytes: ByteBuffer?, resumesReading: Bool) {
        guard let bytes = self.takeChunk() else { return (nil, false) }
        return (bytes, self.resumesReading())
    }

    // MARK: The network and the clock

    /// Bytes arrived; ``roundEnded()`` follows when no more are there for now.
    package mutating func received(_ bytes: ByteBuffer) {
        guard self.end == nil, bytes.readableBytes > 0 else { return }
        self.byteCount += bytes.readableBytes
        // A peer that sends single bytes must not make each cost a whole receive buffer.
        if let last = self.chunks.indices.last, bytes.readableBytes <= Self.joinedByteCount,
            self.chunks[last].writableBytes >= bytes.readableBytes
        {
            self.chunks[last].writeImmutableBuffer(bytes)
        } else {
            self.chunks.append(bytes)
        }
    }

    /// Ends a round of reading: says which reader to wake and, with `continues`, whether to read on.
    package mutating func roundEnded() -> (effects: Effects, continues: Bool) {
        let effects = self.satisfied()
        self.isPaused = self.byteCount >= self.limit
        return (effects, !self.isPaused)
    }

    /// The peer ended its side in order (`nil`), or the connection failed.
    package mutating func ended(_ failure: ConnectionError?) -> Effects {
        guard self.end == nil else { return Effects() }
        self.end = .some(failure)
        var effects = self.satisfied()
        effects.reportsEnd = true
        return effects
    }

    /// This side closed: nothing that is buffered will be read.
    package mutating func closed() -> Effects {
        self.chunks.removeAll()
        self.byteCount = 0
        if case .some(.some) = self.end {} else { self.end = .some(.closed) }
        self.timer.disarm()
        return self.satisfied()
    }

    /// The instant that was last named to arm a timer has come.
    package mutating func timerFired(now: ClockInstant) -> Effects {
        self.timer.fired()
        guard case .waiting(let reader) = self.state, let deadline = self.deadline(of: reader) else {
            return Effects()
        }
        guard deadline.instant <= now else { return Effects(armTimer: self.timer.wait(until: deadline)) }
        self.state = .idle
        guard self.byteCount == 0 else {
            // Fewer than were to be gathered, but the peer is not silent: slow is for the reader to judge.
            let result = self.takeResult()
            return Effects(resume: result, resumesReading: self.resumesReading())
        }
        return Effects(resume: .failure(.timedOut(deadline)))
    }

    // MARK: Parts

    private func deadline(of reader: Reader) -> CallDeadline? { .earlier(reader.deadline, self.standingDeadline) }

    private mutating func satisfied() -> Effects {
        guard case .waiting(let reader) = self.state else { return Effects() }
        guard self.byteCount >= reader.minimum || self.end != nil else { return Effects() }
        self.state = .idle
        let result = self.takeResult()
        return Effects(resume: result, resumesReading: self.resumesReading())
    }

    private mutating func takeResult() -> ReadResult {
        if let bytes = self.takeChunk() { return .success(bytes) }
        guard case .some(let failure) = self.end else { unreachable("takeResult", in: "\(self.state)") }
        return failure.map { .failure($0) } ?? .success(nil)
    }

    private mutating func takeChunk() -> ByteBuffer? {
        guard let bytes = self.chunks.popFirst() else { return nil }
        self.byteCount -= bytes.readableBytes
        return bytes
    }

    private mutating func resumesReading() -> Bool {
        guard self.isPaused, self.end == nil, self.byteCount <= self.limit / 2 else { return false }
        self.isPaused = false
        return true
    }
}
