// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Pulls from a sequence in its own task, where it calls the subscriber, perhaps once more after `cancel` has returned.
final class PullDriver<Source: AsyncSequence & Sendable>: SubscriptionDriver {
    typealias Downstream = AnySubscriber<Source.Element, Source.Failure>
    /// Returns the sequence; called when the subscriber first asks for an element.
    typealias Opening = @Sendable () async throws(Source.Failure) -> Source

    private struct Locked {
        var machine = PullStateMachine()
        var subscriber: Recipient<Downstream>?
        var open: Opening?
        var task: Task<Void, Never>?
        var waiting: UnsafeContinuation<Void, Never>?
    }

    private let locked: Mutex<Locked>

    init(_ subscriber: Downstream, open: @escaping Opening) {
        self.locked = Mutex(Locked(subscriber: Recipient(subscriber), open: open))
    }

    func attached() { self.step { $0.attached() } }

    func request(_ demand: Subscribers.Demand) { self.step { $0.requested(demand) } }

    func cancel() { self.step { $0.cancelled() } }

    func abandon() { self.step { $0.abandoned() } }

    private func step(_ event: (inout PullStateMachine) -> PullStateMachine.Action) {
        switch self.locked.withLock({ event(&$0.machine) }) {
        case .none: break
        case .start: self.start()
        case .wake: self.locked.withLock { $0.waiting.take() }?.resume()
        case .end: _ = self.release()
        }
    }

    private func start() {
        guard let open = self.locked.withLock({ $0.open.take() }) else { return }
        let task = Task {
            do throws(Source.Failure) {
                let source = try await open()
                try await self.pull(from: source)
            } catch {
                self.end(.failure(error))
            }
        }
        let isOver = self.locked.withLock { locked in
            if !locked.machine.isOver { locked.task = task }
            return locked.machine.isOver
        }
        if isOver { task.cancel() }
    }

    private func pull(from source: Source) async throws(Source.Failure) {
        var iterator = source.makeAsyncIterator()
        while true {
            switch self.locked.withLock({ $0.machine.turn() }) {
            case .wait:
                await self.waitForDemand()
            case .stop:
                _ = self.release()
                return
            case .pull:
                guard let element = try await iterator.next(isolation: nil) else { return self.end(.finished) }
                // Do not call a subscriber whose subscription was cancelled while the task waited for the element.
                guard let subscriber = self.locked.withLock({ $0.subscriber }) else { return }
                self.request(subscriber.content.receive(element))
            }
        }
    }

    private func waitForDemand() async {
        await withUnsafeContinuation { continuation in
            let isWoken = self.locked.withLock { locked in
                guard locked.machine.isWaiting else { return true }
                locked.waiting = continuation
                return false
            }
            if isWoken { continuation.resume() }
        }
    }

    private func end(_ completion: Subscribers.Completion<Source.Failure>) {
        guard self.locked.withLock({ $0.machine.ended() }) else { return }
        self.release()?.content.receive(completion: completion)
    }

    private func release() -> Recipient<Downstream>? {
        let (subscriber, task, open, waiting) = self.locked.withLock { locked in
            (locked.subscriber.take(), locked.task.take(), locked.open.take(), locked.waiting.take())
        }
        task?.cancel()
        waiting?.resume()
        _ = open  // release it here, outside the lock
        return subscriber
    }
}
