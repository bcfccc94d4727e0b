// SPDX-License-Identifier: Apache-2.0
package import NIOCore
import Synchronization

/// The receiving half of a connection: the network puts bytes in, and one task takes them out.
///
/// A lock protects the inbox. A read that finds bytes returns at once; otherwise the network's thread resumes the task or runs
/// the action that waits for bytes.
package final class Inbox: Sendable {
    private enum Waiter {
        case task(UnsafeContinuation<InboxStateMachine.ReadResult, Never>)
        case action(@Sendable (InboxStateMachine.ReadResult) -> Void)

        func resume(with result: InboxStateMachine.ReadResult) {
            switch self {
            case .task(let continuation): continuation.resume(returning: result)
            case .action(let action): action(result)
            }
        }
    }

    private struct Locked: TimedState {
        var machine: InboxStateMachine
        var waiter: Waiter?
        var timer: ScheduledAction?
        var onEnd: (@Sendable () -> Void)?
        var onDemand: (@Sendable () -> Void)?

        var armedInstant: ClockInstant? { self.machine.armedInstant }
    }

    private let locked: Mutex<Locked>
    private let clock: any TransportClock
    private let source: (any InboxSource)?

    /// Creates an inbox that stops reading at `limit` bytes, and whose readers first receive bytes from `source` themselves.
    package init(limit: Int, clock: any TransportClock, source: (any InboxSource)? = nil) {
        self.locked = Mutex(Locked(machine: InboxStateMachine(limit: limit)))
        self.clock = clock
        self.source = source
    }

    /// Sets the action that makes the network continue to read after ``receive(_:)`` has returned `false`.
    package func onDemand(_ action: @escaping @Sendable () -> Void) {
        self.locked.withLock { $0.onDemand = action }
    }

    /// Sets an action to call once when the peer ends its side or the connection fails, or at once if that has happened.
    package func onEnd(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = self.locked.withLock { locked in
            guard !locked.machine.hasEnded else { return true }
            locked.onEnd = action
            return false
        }
        if hasEnded { action() }
    }

    package var isPristine: Bool { self.locked.withLock { $0.machine.isPristine } }

    /// Whether the reader that is about to wait need not wait any longer.
    private var satisfiesReader: Bool { self.locked.withLock { $0.machine.satisfiesReader } }

    // MARK: The reader's side

    /// Returns bytes as soon as `minimum` bytes have arrived, like ``Connection/read(atLeast:deadline:)``.
    package func read(atLeast minimum: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        switch self.locked.withLock({ $0.machine.readRequested(atLeast: minimum, deadline: deadline) }) {
        case .give(let result, let resumesReading):
            if resumesReading { self.demand() }
            return try result.get()
        case .wait(let reader, let resumesReading):
            if resumesReading { self.demand() }
            guard let source = self.source else { return try await self.wait(reader).get() }
            let wait = source.readerWaits(forAtLeast: minimum) { self.satisfiesReader }
            defer { source.ended(wait) }
            return try await self.wait(reader).get()
        }
    }

    private func wait(_ reader: InboxStateMachine.Reader) async -> InboxStateMachine.ReadResult {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.perform { locked in
                    locked.waiter = .task(continuation)
                    return locked.machine.suspended(reader)
                }
            }
        } onCancel: {
            self.perform { $0.machine.cancelled(reader) }
        }
    }

    /// Returns the next bytes, or calls `action` with them when they arrive, like ``Connection/read(orLater:)``.
    package func read(
        orLater action: @escaping @Sendable (InboxStateMachine.ReadResult) -> Void
    ) -> InboxStateMachine.ReadResult? {
        var resumesReading = false
        var armTimer: ClockInstant?
        let result = self.locked.withLock { locked -> InboxStateMachine.ReadResult? in
            switch locked.machine.readRequested(atLeast: 1, deadline: nil) {
            case .give(let result, let demands):
                resumesReading = demands
                return result
            case .wait(let reader, let demands):
                locked.waiter = .action(action)
                armTimer = locked.machine.suspended(reader).armTimer  // no bytes can have arrived under the lock
                resumesReading = demands
                return nil
            }
        }
        if let armTimer { self.arm(at: armTimer) }
        if resumesReading { self.demand() }
        if result == nil { self.source?.actionWaits() }
        return result
    }

    package func limitReads(to deadline: CallDeadline?) {
        self.perform { $0.machine.readsLimited(to: deadline) }
    }

    /// Returns all bytes if the peer has ended its side normally and the bytes are in one piece; otherwise `nil`.
    package func takeWhole() -> ByteBuffer? { self.locked.withLock { $0.machine.takenWhole() } }

    package func take() -> ByteBuffer? {
        let (bytes, resumesReading) = self.locked.withLock { $0.machine.taken() }
        if resumesReading { self.demand() }
        return bytes
    }

    // MARK: The network's side

    /// Whether an action waits, so that the network can use the storage again after ``receive(_:)``.
    package var handlesBytesAtOnce: Bool {
        self.locked.withLock { locked in if case .action? = locked.waiter { true } else { false } }
    }

    /// Adds the bytes that the network has read, and returns whether it may continue to read.
    package func receive(_ pieces: [ByteBuffer]) -> Bool {
        var continues = true
        self.perform { locked in
            for bytes in pieces { locked.machine.received(bytes) }
            let (effects, readsOn) = locked.machine.readCompleted()
            continues = readsOn
            return effects
        }
        return continues
    }

    /// Adds bytes that are a part of a larger buffer, without waking the reader as ``arrived()`` does.
    package func append(partOfBuffer bytes: ByteBuffer) {
        self.locked.withLock { $0.machine.received(partOfBuffer: bytes) }
    }

    /// Notes an event that makes the current or next read return an empty buffer first; call ``arrived()`` afterwards.
    package func notice() { self.locked.withLock { $0.machine.noticed() } }

    /// Wakes the reader if enough bytes, a notice or the end has arrived.
    package func arrived() { self.perform { $0.machine.readCompleted().effects } }

    /// Records that the peer ended its side normally (`nil`), or that the connection failed.
    package func end(_ failure: ConnectionError?) {
        self.perform { $0.machine.ended(failure) }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }

    /// Drops the buffered bytes, and ends a waiting read with an error.
    package func close() {
        self.perform { $0.machine.closed() }
        let timer = self.locked.withLock { locked in
            locked.onEnd = nil
            locked.onDemand = nil
            return locked.timer.take()
        }
        timer?.cancel()
    }

    // MARK: Effects

    private func perform(_ event: (inout Locked) -> InboxStateMachine.Effects) {
        SlowWork.begins()
        var waiter: Waiter?
        var onEnd: (@Sendable () -> Void)?
        let effects = self.locked.withLock { locked in
            let effects = event(&locked)
            if effects.resume != nil { waiter = locked.waiter.take() }
            if effects.reportsEnd { onEnd = locked.onEnd.take() }
            return effects
        }
        if let instant = effects.armTimer { self.arm(at: instant) }
        if effects.resumesReading { self.demand() }
        if let result = effects.resume { waiter?.resume(with: result) }
        onEnd?()
    }

    private func demand() {
        SlowWork.begins()
        self.locked.withLock { $0.onDemand }?()
    }

    private func arm(at instant: ClockInstant) {
        // The timer holds the inbox until its end, because weak references to an object make each use of the object slower.
        self.locked.arm(at: instant, on: self.clock) { self.perform { $0.machine.timerFired(now: self.clock.now) } }
    }
}
