// SPDX-License-Identifier: Apache-2.0
package import NIOCore
import Synchronization

/// The sending half of a connection's mailbox: one task puts bytes in, the network takes them out.
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

    private struct Locked {
        var machine: OutboxStateMachine
        var pieces: [Piece] = []
        var continuation: UnsafeContinuation<OutboxStateMachine.RoomResult, Never>?
        var timer: ScheduledAction?
    }

    private let locked: Mutex<Locked>
    private let clock: any TransportClock

    /// Creates an empty outbox that has room for about `limit` bytes.
    package init(limit: Int, clock: any TransportClock) {
        self.locked = Mutex(Locked(machine: OutboxStateMachine(limit: limit)))
        self.clock = clock
    }

    /// Puts a piece in, and waits for room for more; `flush` has the network take what is there.
    package func write(
        _ piece: Piece,
        deadline: Deadline?,
        flush: () -> Void
    ) async throws(ConnectionError) {
        let action = self.locked.withLock { locked in
            let action = locked.machine.writeRequested(byteCount: piece.byteCount, deadline: deadline)
            if case .fail = action {} else { locked.pieces.append(piece) }
            return action
        }
        switch action {
        case .fail(let failure):
            throw failure
        case .queue(let flushes):
            if flushes { flush() }
        case .queueAndWait(let writer, let flushes):
            if flushes { flush() }
            try await self.wait(writer).get()
        }
    }

    private func wait(_ writer: OutboxStateMachine.Writer) async -> OutboxStateMachine.RoomResult {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.perform { locked in
                    locked.continuation = continuation
                    return locked.machine.suspended(writer)
                }
            }
        } onCancel: {
            self.perform { $0.machine.cancelled(writer) }
        }
    }

    /// Takes all that waits to be sent, oldest first, leaving `pieces` as the new, empty store.
    package func takeAll(into pieces: inout [Piece]) {
        self.locked.withLock { locked in
            swap(&locked.pieces, &pieces)
            locked.machine.flushed()
        }
    }

    /// The network can take more, or cannot.
    package func setWritable(_ isWritable: Bool) { self.perform { $0.machine.writabilityChanged(isWritable) } }

    /// The connection can send no more: drops what waits and fails the writer.
    package func fail(_ failure: ConnectionError) {
        self.perform { locked in
            locked.pieces.removeAll()
            return locked.machine.failed(failure)
        }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }

    private func perform(_ event: (inout Locked) -> OutboxStateMachine.Effects) {
        var continuation: UnsafeContinuation<OutboxStateMachine.RoomResult, Never>?
        let effects = self.locked.withLock { locked in
            let effects = event(&locked)
            if effects.resume != nil { continuation = locked.continuation.take() }
            return effects
        }
        if let instant = effects.armTimer { self.arm(at: instant) }
        if let result = effects.resume { continuation?.resume(returning: result) }
    }

    private func arm(at instant: Instant) {
        let timer = self.clock.schedule(at: instant) { [weak self] in
            guard let self else { return }
            self.perform { $0.machine.timerFired(now: self.clock.now) }
        }
        let superseded = self.locked.withLock { locked in
            // Another thread may have set an earlier one meanwhile.
            guard locked.machine.armedInstant == instant else { return timer as ScheduledAction? }
            let previous = locked.timer
            locked.timer = timer
            return previous
        }
        superseded?.cancel()
    }
}
