// SPDX-License-Identifier: Apache-2.0
package import NIOCore
import Synchronization

/// The sending half of a connection: tasks put bytes in, and the network takes all waiting pieces together.
package final class Outbox: Sendable {
    package enum Piece: Sendable {
        case bytes(ByteBuffer)
        case file(ReadableFile, Range<Int64>)

        fileprivate var byteCount: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.readableBytes)
            case .file(_, let range): range.upperBound - range.lowerBound
            }
        }
    }

    private struct Locked: TimedState {
        var machine: OutboxStateMachine
        var pieces: [Piece] = []
        var continuations: [OutboxStateMachine.Writer: UnsafeContinuation<OutboxStateMachine.RoomResult, Never>] = [:]
        var timer: ScheduledAction?
        var lastSent: ClockInstant?

        var armedInstant: ClockInstant? { self.machine.armedInstant }

        /// Appends a piece, or copies a short one to the end of the previous one, which costs less than writing another.
        mutating func append(_ piece: Piece) {
            guard case .bytes(let bytes) = piece, bytes.readableBytes <= Outbox.gatheredByteCount,
                case .bytes(var last)? = self.pieces.last, last.readableBytes <= Outbox.gatheringByteCount
            else { return self.pieces.append(piece) }
            self.pieces.removeLast()  // makes `last` the only reference, so that it grows in place
            last.writeImmutableBuffer(bytes)
            self.pieces.append(.bytes(last))
        }

        /// Drops all pieces from the first part of a file on.
        mutating func dropFiles() {
            let first = self.pieces.firstIndex { if case .file = $0 { true } else { false } }
            if let first { self.pieces.removeSubrange(first...) }
        }
    }

    /// The maximum length of a piece that is copied to the end of the previous piece.
    private static let gatheredByteCount = 1 << 10
    /// The maximum length of a piece that the next piece may extend.
    private static let gatheringByteCount = 64 << 10

    private let locked: Mutex<Locked>
    private let clock: any TransportClock

    package init(limit: Int, clock: any TransportClock) {
        self.locked = Mutex(Locked(machine: OutboxStateMachine(limit: limit)))
        self.clock = clock
    }

    /// Adds a piece, calls `flush` if the network must take the queue, and returns whether there is room for more.
    package func enqueue(_ piece: Piece, flush: (_ byteCount: Int64) -> Void) throws(ConnectionError) -> Bool {
        let action = self.locked.withLock { locked in
            let action = locked.machine.queued(byteCount: piece.byteCount)
            if case .queue = action { locked.append(piece) }
            return action
        }
        switch action {
        case .fail(let failure):
            throw failure
        case .queue(let flushes, let hasRoom):
            SlowWork.begins()
            if flushes { flush(piece.byteCount) }
            return hasRoom
        }
    }

    /// Waits until there is room for more bytes; any number of tasks may wait.
    package func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        switch self.locked.withLock({ $0.machine.roomRequested(deadline: deadline) }) {
        case .go: return
        case .fail(let failure): throw failure
        case .wait(let writer): try await self.wait(writer).get()
        }
    }

    private func wait(_ writer: OutboxStateMachine.Writer) async -> OutboxStateMachine.RoomResult {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.perform { locked in
                    locked.continuations[writer] = continuation
                    return locked.machine.suspended(writer)
                }
            }
        } onCancel: {
            self.perform { $0.machine.cancelled(writer) }
        }
    }

    /// Swaps the queue with the empty `pieces`, and returns the number for ``sent(upTo:)``.
    package func takeAll(into pieces: inout [Piece]) -> Int {
        self.locked.withLock { locked in
            swap(&locked.pieces, &pieces)
            return locked.machine.flushed()
        }
    }

    /// Records that the network has sent all pieces up to the ``takeAll(into:)`` that returned this number.
    package func sent(upTo number: Int) { self.locked.withLock { $0.machine.sent(upTo: number) } }

    package var isEmpty: Bool { self.locked.withLock { $0.machine.isEmpty } }

    /// Records, after ``takeAll(into:)``, how much the network has sent, and whether it can take more.
    package func flushed(sentUpTo number: Int, isWritable: Bool) {
        self.perform { locked in
            locked.machine.sent(upTo: number)
            return locked.machine.writabilityChanged(isWritable)
        }
    }

    /// The last instant at which the network told that it had taken some bytes; see ``MeasuredConnection/lastSent``.
    package var lastSent: ClockInstant? { self.locked.withLock { $0.lastSent } }

    /// Records that the network has taken some bytes, although it may have no room for more yet.
    package func progressed() {
        let now = self.clock.now
        self.locked.withLock { $0.lastSent = now }
    }

    package func setWritable(_ isWritable: Bool) { self.perform { $0.machine.writabilityChanged(isWritable) } }

    /// Accepts no more pieces, and drops the queued pieces from the first file on, because files may change.
    package func close() {
        self.perform { locked in
            locked.dropFiles()
            return locked.machine.failed(.closed)
        }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }

    /// Drops the queue, and ends waiting writes with the failure.
    package func fail(_ failure: ConnectionError) {
        self.perform { locked in
            locked.pieces.removeAll()
            return locked.machine.failed(failure)
        }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }

    private func perform(_ event: (inout Locked) -> OutboxStateMachine.Effects) {
        let (effects, continuations) = self.locked.withLock { locked in
            let effects = event(&locked)
            return (effects, effects.resume.map { locked.continuations.removeValue(forKey: $0.writer) })
        }
        if let instant = effects.armTimer { self.arm(at: instant) }
        for (continuation, resumption) in zip(continuations, effects.resume) {
            continuation?.resume(returning: resumption.result)
        }
    }

    private func arm(at instant: ClockInstant) {
        self.locked.arm(at: instant, on: self.clock) { [weak self] in
            guard let self else { return }
            self.perform { $0.machine.timerFired(now: self.clock.now) }
        }
    }
}
