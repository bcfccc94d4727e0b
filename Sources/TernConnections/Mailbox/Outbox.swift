// SPDX-License-Identifier: Apache-2.0
package import NIOCore
import Synchronization

/// The sending half of a connection's mailbox: tasks put bytes in, the network takes them out.
///
/// Pieces that are put in before the network has come to take them go out together.
package final class Outbox: Sendable {
    /// Something to be sent.
    package enum Piece: Sendable {
        /// Bytes.
        case bytes(ByteBuffer)
        /// A range of a file.
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

        var armedInstant: ClockInstant? { self.machine.armedInstant }

        /// Puts a piece behind the others; a few bytes are copied behind what is there, since each piece costs the
        /// network more than that.
        mutating func append(_ piece: Piece) {
            guard case .bytes(let bytes) = piece, bytes.readableBytes <= Outbox.gatheredByteCount,
                case .bytes(var last)? = self.pieces.last, last.readableBytes <= Outbox.gatheringByteCount
            else { return self.pieces.append(piece) }
            self.pieces.removeLast()  // so that `last` is the only reference, and grows in place
            last.writeImmutableBuffer(bytes)
            self.pieces.append(.bytes(last))
        }

        /// Drops the first part of a file, and what is behind it.
        mutating func dropFiles() {
            let first = self.pieces.firstIndex { if case .file = $0 { true } else { false } }
            if let first { self.pieces.removeSubrange(first...) }
        }
    }

    /// Pieces up to this length are gathered.
    private static let gatheredByteCount = 1 << 10
    /// Pieces are gathered until they are this many bytes together.
    private static let gatheringByteCount = 64 << 10

    private let locked: Mutex<Locked>
    private let clock: any TransportClock

    /// Creates an empty outbox that has room for about `limit` bytes.
    package init(limit: Int, clock: any TransportClock) {
        self.locked = Mutex(Locked(machine: OutboxStateMachine(limit: limit)))
        self.clock = clock
    }

    /// Puts a piece in; `flush` has the network take what is there.
    ///
    /// - Returns: whether there is room for more.
    package func enqueue(_ piece: Piece, flush: () -> Void) throws(ConnectionError) -> Bool {
        let action = self.locked.withLock { locked in
            let action = locked.machine.queued(byteCount: piece.byteCount)
            if case .queue = action { locked.append(piece) }
            return action
        }
        switch action {
        case .fail(let failure):
            throw failure
        case .queue(let flushes, let hasRoom):
            if flushes { flush() }
            return hasRoom
        }
    }

    /// Waits until there is room; any number of tasks may wait at once.
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

    /// Takes all that waits to be sent, oldest first, leaving `pieces` as the new, empty store.
    ///
    /// - Returns: what ``sent(upTo:)`` is to be told when all of it has been sent.
    package func takeAll(into pieces: inout [Piece]) -> Int {
        self.locked.withLock { locked in
            swap(&locked.pieces, &pieces)
            return locked.machine.flushed()
        }
    }

    /// The network has sent what it took, up to the number that ``takeAll(into:)`` gave.
    package func sent(upTo number: Int) { self.locked.withLock { $0.machine.sent(upTo: number) } }

    /// Whether all that was put in has been sent.
    package var isEmpty: Bool { self.locked.withLock { $0.machine.isEmpty } }

    /// The network took what waited, has sent what it took up to a number, and can take more, or cannot.
    package func flushed(sentUpTo number: Int, isWritable: Bool) {
        self.perform { locked in
            locked.machine.sent(upTo: number)
            return locked.machine.writabilityChanged(isWritable)
        }
    }

    /// The network can take more, or cannot.
    package func setWritable(_ isWritable: Bool) { self.perform { $0.machine.writabilityChanged(isWritable) } }

    /// Takes nothing more, because this side closes.
    ///
    /// Bytes that wait are still to be taken by the network, but no file is: it is read only when it is sent, and may hold
    /// something else by then.
    package func close() {
        self.perform { locked in
            locked.dropFiles()
            return locked.machine.failed(.closed)
        }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }

    /// The connection can send no more: drops what waits and fails the writers.
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
