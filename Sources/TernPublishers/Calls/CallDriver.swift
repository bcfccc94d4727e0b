// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Performs the actions of a `CallStateMachine`: runs the call in its own task, and calls the subscriber.
final class CallDriver<Output: Sendable>: SubscriptionDriver {
    typealias Downstream = AnySubscriber<Output, ClientError>
    typealias Machine = CallStateMachine<Output>
    typealias Work = @Sendable (_ report: @escaping Report) async throws(ClientError) -> Output
    typealias Report = @Sendable (Output, TransferDirection) -> Void

    private struct Locked {
        var machine = Machine()
        var subscriber: Recipient<Downstream>?
        var work: Work?
        var task: Task<Void, Never>?
    }

    private let locked: Mutex<Locked>
    /// Deletes what a value refers to, such as a temporary file, if no subscriber receives the value.
    private let discard: @Sendable (Output) -> Void

    init(_ subscriber: Downstream, discard: @escaping @Sendable (Output) -> Void, work: @escaping Work) {
        self.locked = Mutex(Locked(subscriber: Recipient(subscriber), work: work))
        self.discard = discard
    }

    func attached() { self.step { $0.attached() } }

    func request(_ demand: Subscribers.Demand) { self.step { $0.requested(demand) } }

    func cancel() { self.step { $0.cancelled() } }

    func abandon() { self.step { $0.abandoned() } }

    private func step(_ event: (inout Machine) -> Machine.Action) {
        var action = self.locked.withLock { event(&$0.machine) }
        while let next = self.perform(action) { action = next }
    }

    private func perform(_ action: Machine.Action) -> Machine.Action? {
        switch action {
        case .none:
            return nil
        case .start:
            self.start()
            return nil
        case .report(let value), .deliver(let value):
            // Only one thread at a time gets here, so the subscriber is missing only if its subscription was cancelled
            // meanwhile.
            guard let subscriber = self.locked.withLock({ $0.subscriber }) else {
                if case .deliver = action { self.discard(value) }
                return nil
            }
            let demand = subscriber.content.receive(value)
            return self.locked.withLock { $0.machine.delivered(demand) }
        case .finish:
            self.release()?.content.receive(completion: .finished)
            return nil
        case .fail(let error):
            self.release()?.content.receive(completion: .failure(error))
            return nil
        case .end(let unwanted):
            let subscriber = self.release()
            if let unwanted { self.discard(unwanted) }
            _ = subscriber
            return nil
        }
    }

    private func start() {
        guard let work = self.locked.withLock({ $0.work.take() }) else { return }
        let task = Task {
            let outcome: Result<Output, ClientError>
            do throws(ClientError) {
                outcome = .success(
                    try await work { [weak self] report, direction in self?.step { $0.reported(report, direction) } }
                )
            } catch {
                outcome = .failure(error)
            }
            self.step { $0.ended(outcome) }
        }
        let isOver = self.locked.withLock { locked in
            if !locked.machine.isOver { locked.task = task }
            return locked.machine.isOver
        }
        if isOver { task.cancel() }
    }

    private func release() -> Recipient<Downstream>? {
        let (subscriber, task, work) = self.locked.withLock { locked in
            (locked.subscriber.take(), locked.task.take(), locked.work.take())
        }
        task?.cancel()
        _ = work  // release it here, outside the lock
        return subscriber
    }
}
