// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Synchronization
import TernErrors

/// The messages that have arrived and that no task has taken; a task that finds one takes it without suspending.
@usableFromInline
final class MessageQueue: Sendable {
    typealias Item = MessageQueueStateMachine.Item
    typealias Delivery = MessageQueueStateMachine.Delivery

    private struct Locked {
        var machine: MessageQueueStateMachine
        var continuations: [MessageQueueStateMachine.Consumer: UnsafeContinuation<Delivery, Never>] = [:]
        var reader: UnsafeContinuation<Void, Never>?
    }

    private let locked: Mutex<Locked>
    private let isInParts = Atomic<Bool>(false)

    /// Creates a queue with room for `limit` bytes, counting 64 bytes of overhead for each item.
    init(limit: Int) { self.locked = Mutex(Locked(machine: MessageQueueStateMachine(limit: limit))) }

    // MARK: The consumers

    /// Takes a message that has arrived; `nil` if the caller must call ``take(_:)`` instead, for example after a cancellation.
    @usableFromInline
    func takeArrived(checksCancellation: Bool) -> WebSocketMessage? {
        if checksCancellation, Task.isCancelled { return nil }
        let taken = self.locked.withLock { $0.machine.takenMessage() }
        guard let taken else { return nil }
        if taken.resumesReader { self.resumeReader() }
        return taken.message
    }

    func take(_ context: @escaping @Sendable () -> ClientError.Context) async throws(ClientError) -> Item? {
        if Task.isCancelled { throw .cancelled(context()) }
        switch self.locked.withLock({ $0.machine.taken() }) {
        case .give(let delivery, let resumesReader):
            if resumesReader { self.resumeReader() }
            return try delivery.get()
        case .wait(let consumer):
            return try await self.wait(consumer, context).get()
        }
    }

    private func wait(
        _ consumer: MessageQueueStateMachine.Consumer,
        _ context: @escaping @Sendable () -> ClientError.Context
    ) async -> Delivery {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.perform { locked in
                    locked.continuations[consumer] = continuation
                    return locked.machine.suspended(consumer, cancelling: .cancelled(context()))
                }
            }
        } onCancel: {
            self.perform { $0.machine.cancelled(consumer, .cancelled(context())) }
        }
    }

    /// Makes the reader deliver parts of messages as they arrive, from the next message on.
    func switchToFragments() { self.isInParts.store(true, ordering: .relaxed) }

    // MARK: The reader

    var wantsFragments: Bool { self.isInParts.load(ordering: .relaxed) }

    func put(_ batch: inout Deque<Item>, weight: Int) -> Bool {
        var hasRoom = true
        self.perform { locked in
            let effects = locked.machine.arrived(&batch, weight: weight)
            hasRoom = locked.machine.hasRoom
            return effects
        }
        return hasRoom
    }

    /// Waits until the queue has room, or has ended, for the reader, whose task is never cancelled.
    func waitForRoom() async {
        await withUnsafeContinuation { continuation in
            let mustWait = self.locked.withLock { locked in
                let mustWait = locked.machine.readerWaits()
                if mustWait { locked.reader = continuation }
                return mustWait
            }
            if !mustWait { continuation.resume() }
        }
    }

    func end(_ error: ClientError?, dropsItems: Bool) {
        self.perform { $0.machine.ended(error, dropsItems: dropsItems) }
    }

    // MARK: Effects

    private func perform(_ event: (inout Locked) -> MessageQueueStateMachine.Effects) {
        let (effects, continuations, reader) = self.locked.withLock { locked in
            let effects = event(&locked)
            let continuations = effects.resume.map { locked.continuations.removeValue(forKey: $0.consumer) }
            return (effects, continuations, effects.resumesReader ? locked.reader.take() : nil)
        }
        for (continuation, resumption) in zip(continuations, effects.resume) {
            continuation?.resume(returning: resumption.delivery)
        }
        reader?.resume()
    }

    private func resumeReader() { self.locked.withLock { $0.reader.take() }?.resume() }
}
