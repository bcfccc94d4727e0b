// SPDX-License-Identifier: Apache-2.0
import DequeModule
package import NIOCore

/// Tracks which bytes have arrived on a connection and which task waits for them, as the logic of ``Inbox``.
package struct InboxStateMachine: Sendable {
    package typealias ReadResult = Result<ByteBuffer?, ConnectionError>

    package enum ReadAction {
        /// Return this result, and perhaps ask the network for more.
        case give(ReadResult, resumesReading: Bool)
        /// Perhaps ask the network for more; call ``suspended(_:)`` when the task or the closure of the reader waits.
        case wait(Reader, resumesReading: Bool)
    }

    package struct Effects {
        package var resume: ReadResult?
        package var resumesReading = false
        /// Call ``timerFired(now:)`` at this instant; replaces a timer that was set before.
        package var armTimer: ClockInstant?
        package var reportsEnd = false
    }

    package struct Reader: Equatable, Sendable {
        fileprivate var number: Int
        fileprivate var minimum: Int
        fileprivate var deadline: CallDeadline?
    }

    private enum State {
        /// Until a read must wait.
        case idle
        /// Until ``suspended(_:)``, or until the task is cancelled before that.
        case suspending(Reader)
        /// The task was cancelled before it had suspended; lasts until it has.
        case cancelledEarly(Reader)
        /// Until enough bytes or a notice has arrived, the connection has ended, the deadline has passed, or the task is cancelled.
        case waiting(Reader)
    }

    /// The longest piece that is copied to the end of the piece before it, because that costs less than another read.
    private static let joinedByteCount = 1024

    /// The maximum capacity of a new piece for copied bytes, unless one part is longer; small enough for the processor's cache.
    private static let gatheredPieceByteCount = 128 << 10

    /// The smallest capacity of a new piece for copied bytes, so that it has room for more.
    private static let smallestPieceByteCount = 256

    /// The smallest capacity of a piece whose memory is used again, because getting so much from the system takes time.
    private static let recycledByteCount = 64 << 10
    /// The maximum number of pieces kept for their memory: those that the reader and its file may still use.
    private static let maximumSpareCount = 3

    private var state = State.idle
    private var chunks = Deque<ByteBuffer>()
    private var byteCount = 0
    /// The last long pieces that the reader has taken; a new piece takes the memory of the oldest, unless still in use.
    private var spares = Deque<ByteBuffer>()
    /// The number of bytes that arrived for an earlier read, and that further reads return without waiting for their minimum.
    private var gatheredByteCount = 0
    /// The number of bytes that the last read waited for.
    private var wantedByteCount = 1
    private var end: ConnectionError??
    /// Whether the pieces are copies that belong to the inbox, see ``received(partOfBuffer:)``.
    private var copiesBytes = false
    private var hasNotice = false
    private var isPaused = false
    private var readerCount = 0
    private var standingDeadline: CallDeadline?
    private var timer = DeadlineTimer()
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Whether the inbox is empty, and neither side has ended.
    package var isPristine: Bool { self.byteCount == 0 && self.end == nil }

    package var hasEnded: Bool { self.end != nil }

    package var armedInstant: ClockInstant? { self.timer.armedInstant }

    // MARK: The reader

    package mutating func readRequested(atLeast minimum: Int, deadline: CallDeadline?) -> ReadAction {
        guard case .idle = self.state else { return .give(.failure(.concurrentReads), resumesReading: false) }
        let minimum = max(1, min(minimum, self.limit))
        self.wantedByteCount = minimum
        let isGathered = self.gatheredByteCount > 0 && self.byteCount > 0
        if isGathered || self.byteCount >= minimum || self.end != nil || self.hasNotice {
            let result = self.takeResult(of: isGathered ? 0 : minimum)
            return .give(result, resumesReading: self.resumesReading())
        }
        self.readerCount += 1
        let reader = Reader(number: self.readerCount, minimum: minimum, deadline: deadline)
        self.state = .suspending(reader)
        // If reading is paused, the bytes that the task waits for would never arrive.
        let resumesReading = self.isPaused
        self.isPaused = false
        return .wait(reader, resumesReading: resumesReading)
    }

    /// Records that the reader's task has suspended, and can be resumed.
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

    /// Whether a reader that is about to suspend would get a result at once.
    package var satisfiesReader: Bool {
        switch self.state {
        case .suspending(let reader): self.byteCount >= reader.minimum || self.end != nil || self.hasNotice
        case .cancelledEarly: true
        case .idle, .waiting: false
        }
    }

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

    package mutating func readsLimited(to deadline: CallDeadline?) -> Effects {
        self.standingDeadline = deadline
        guard case .waiting(let reader) = self.state else { return Effects() }
        return Effects(armTimer: self.timer.wait(until: self.deadline(of: reader)))
    }

    /// Returns bytes that have arrived, and whether to ask the network for more.
    package mutating func taken() -> (bytes: ByteBuffer?, resumesReading: Bool) {
        guard let bytes = self.takeChunk() else { return (nil, false) }
        return (bytes, self.resumesReading())
    }

    // MARK: The network and the clock

    /// Adds bytes; after the last available ones, the network calls ``readCompleted()``.
    package mutating func received(_ bytes: ByteBuffer) {
        guard self.end == nil, bytes.readableBytes > 0 else { return }
        self.byteCount += bytes.readableBytes
        // If a peer sends single bytes, each of them must not occupy a whole receive buffer.
        if let last = self.chunks.indices.last, bytes.readableBytes <= Self.joinedByteCount,
            self.chunks[last].writableBytes >= bytes.readableBytes
        {
            self.chunks[last].writeImmutableBuffer(bytes)
        } else {
            self.chunks.append(bytes)
        }
    }

    /// Adds a copy of bytes of a larger buffer, with room for the bytes that the reader waits for.
    package mutating func received(partOfBuffer bytes: ByteBuffer) {
        self.copiesBytes = true
        let byteCount = bytes.readableBytes
        let capacity = min(self.wantedByteCount, Self.gatheredPieceByteCount)
        guard self.end == nil, byteCount > 0 else { return }
        self.byteCount += byteCount
        if let last = self.chunks.indices.last, self.chunks[last].writableBytes >= byteCount {
            self.chunks[last].writeImmutableBuffer(bytes)
        } else {
            var piece = self.spares.popFirst() ?? ByteBuffer()
            piece.clear(minimumCapacity: max(byteCount, capacity, Self.smallestPieceByteCount))
            piece.writeImmutableBuffer(bytes)
            self.chunks.append(piece)
        }
    }

    /// Makes the current or the next read return an empty buffer.
    package mutating func noticed() { self.hasNotice = true }

    package mutating func takenWhole() -> ByteBuffer? {
        guard case .some(.none) = self.end, self.chunks.count <= 1 else { return nil }
        return self.takeChunk() ?? ByteBuffer()
    }

    /// Handles the end of the available bytes, and returns whether the network may continue to read.
    package mutating func readCompleted() -> (effects: Effects, continues: Bool) {
        let effects = self.satisfied()
        self.isPaused = self.byteCount >= self.limit
        return (effects, !self.isPaused)
    }

    /// Records that the peer ended its side normally (`nil`), or that the connection failed.
    package mutating func ended(_ failure: ConnectionError?) -> Effects {
        guard self.end == nil else { return Effects() }
        self.end = .some(failure)
        self.timer.disarm()  // from now on, no read waits
        self.spares.removeAll()
        var effects = self.satisfied()
        effects.reportsEnd = true
        return effects
    }

    /// Records that this side closed, and drops the buffered bytes.
    package mutating func closed() -> Effects {
        self.chunks.removeAll()
        self.spares.removeAll()
        self.byteCount = 0
        if case .some(.some) = self.end {} else { self.end = .some(.closed) }
        self.timer.disarm()
        return self.satisfied()
    }

    package mutating func timerFired(now: ClockInstant) -> Effects {
        self.timer.fired()
        guard case .waiting(let reader) = self.state, let deadline = self.deadline(of: reader) else {
            return Effects()
        }
        guard deadline.instant <= now else { return Effects(armTimer: self.timer.wait(until: deadline)) }
        self.state = .idle
        guard self.byteCount == 0 else {
            // Fewer bytes than the reader wanted; the reader decides whether the peer is too slow.
            let result = self.takeResult(of: self.byteCount)
            return Effects(resume: result, resumesReading: self.resumesReading())
        }
        return Effects(resume: .failure(.timedOut(deadline)))
    }

    // MARK: Parts

    private func deadline(of reader: Reader) -> CallDeadline? { .earlier(reader.deadline, self.standingDeadline) }

    private mutating func satisfied() -> Effects {
        guard case .waiting(let reader) = self.state else { return Effects() }
        guard self.byteCount >= reader.minimum || self.end != nil || self.hasNotice else { return Effects() }
        self.state = .idle
        let result = self.takeResult(of: reader.minimum)
        return Effects(resume: result, resumesReading: self.resumesReading())
    }

    /// Returns the result of a read; `minimum` is 0 if the bytes arrived for an earlier read.
    private mutating func takeResult(of minimum: Int) -> ReadResult {
        if self.hasNotice {
            self.hasNotice = false
            return .success(ByteBuffer())
        }
        self.gatheredByteCount = max(self.gatheredByteCount, minimum)
        if let bytes = self.takeChunk() { return .success(bytes) }
        guard case .some(let failure) = self.end else { unreachable("takeResult", in: "\(self.state)") }
        return failure.map { .failure($0) } ?? .success(nil)
    }

    private mutating func takeChunk() -> ByteBuffer? {
        guard let bytes = self.chunks.popFirst() else { return nil }
        self.byteCount -= bytes.readableBytes
        self.gatheredByteCount = max(0, self.gatheredByteCount - bytes.readableBytes)
        if self.copiesBytes, self.end == nil, bytes.capacity >= Self.recycledByteCount { self.keepSpare(bytes) }
        return bytes
    }

    private mutating func keepSpare(_ bytes: ByteBuffer) {
        if self.spares.count == Self.maximumSpareCount { self.spares.removeFirst() }
        self.spares.append(bytes)
    }

    private mutating func resumesReading() -> Bool {
        guard self.isPaused, self.end == nil, self.byteCount <= self.limit / 2 else { return false }
        self.isPaused = false
        return true
    }
}
