// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Synchronization

/// Performs the actions of a `BridgeStateMachine`: asks the publisher for values, and resumes each waiting loop once.
final class BridgeDriver: Sendable {
    /// An object that carries a value; only ``BridgeSubscriber`` knows the type of the value.
    typealias Carrier = any AnyObject & Sendable
    typealias Machine = BridgeStateMachine<Carrier, any Error>

    enum Reply: Sendable {
        case value(Carrier)
        case end(Machine.Completion)
    }

    #if DEBUG
    // A checked continuation reports if it is resumed twice or never.
    private typealias Loop = CheckedContinuation<Reply, Never>
    #else
    private typealias Loop = UnsafeContinuation<Reply, Never>
    #endif

    private struct Locked {
        var machine: Machine
        var subscription: Recipient<any Subscription>?
        /// The waiting loops, of which the first has waited longest; the machine counts the same number.
        var waiting: Deque<Loop> = []
        /// The calls to `receive(_:)` that have resumed a loop and have not returned yet.
        var resumingCount = 0
        /// The demand that arrives while `resumingCount` is not 0, and that one of the counted calls returns.
        var askedMeanwhile = Subscribers.Demand.none
    }

    private let locked: Mutex<Locked>

    init(_ policy: BufferingPolicy) { self.locked = Mutex(Locked(machine: Machine(policy))) }

    // MARK: The publisher's side

    func receive(subscription: any Subscription) {
        let recipient = Recipient(subscription)
        let demand = self.locked.withLock { locked in
            let demand = locked.machine.subscribed()
            if demand != nil { locked.subscription = recipient }
            return demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Carrier) -> Subscribers.Demand {
        let (arrival, loop, demand) = self.locked.withLock { locked in
            let (arrival, demand) = locked.machine.received(input)
            guard case .resume = arrival, let loop = locked.waiting.popFirst() else {
                return (arrival, nil as Loop?, demand)
            }
            locked.resumingCount += 1
            return (arrival, loop, demand)
        }
        guard let loop else {
            withExtendedLifetime(arrival) {}  // release dropped values here, outside the lock
            return demand
        }
        loop.resume(returning: .value(input))
        return self.locked.withLock { locked in
            locked.resumingCount -= 1
            defer { locked.askedMeanwhile = .none }
            return demand + locked.askedMeanwhile
        }
    }

    func receive(completion: Machine.Completion) {
        let (loops, subscription): (Deque<Loop>, Recipient<any Subscription>?) = self.locked.withLock { locked in
            guard case .resume = locked.machine.completed(completion) else { return ([], locked.subscription.take()) }
            defer { locked.waiting = [] }
            return (locked.waiting, locked.subscription.take())
        }
        for (index, loop) in loops.enumerated() {
            loop.resume(returning: .end(index == 0 ? completion : .finished))
        }
        _ = subscription  // release it here, outside the lock
    }

    // MARK: The loop's side

    func next(isolation actor: isolated (any Actor)?) async -> Reply {
        let reply = await self.first(isolation: actor)
        // After the loop took the value, the stream may have been cancelled: by the publisher, when the driver asked it
        // for more, or by other code before the loop's task could continue.
        guard case .value = reply, self.locked.withLock({ $0.machine.isCancelled }) else { return reply }
        return .end(.finished)
    }

    private func first(isolation actor: isolated (any Actor)?) async -> Reply {
        if Task.isCancelled { self.cancel() }
        let first = self.locked.withLock { $0.machine.next() }
        if let reply = self.reply(to: first) { return reply }
        // The publisher may have sent a value while the driver asked for it; then the loop need not wait.
        if let step = self.locked.withLock({ $0.machine.arrived() }), let reply = self.reply(to: step) { return reply }
        return await self.wait(isolation: actor)
    }

    private func wait(isolation actor: isolated (any Actor)?) async -> Reply {
        await withTaskCancellationHandler(
            operation: {
                await Self.suspend(isolation: actor) { continuation in
                    let step = self.locked.withLock { locked in
                        let step = locked.machine.wait()
                        if case .wait = step { locked.waiting.append(continuation) }
                        return step
                    }
                    if let reply = self.reply(to: step) { continuation.resume(returning: reply) }
                }
            },
            onCancel: { self.cancel() },
            isolation: actor
        )
    }

    private func reply(to step: Machine.Step) -> Reply? {
        switch step {
        case .end(let completion):
            return .end(completion)
        case .give(let value, let demand):
            self.ask(for: demand)
            return .value(value)
        case .wait(let demand):
            self.ask(for: demand)
            return nil
        }
    }

    private static func suspend(isolation actor: isolated (any Actor)?, _ body: (Loop) -> Void) async -> Reply {
        #if DEBUG
        await withCheckedContinuation(isolation: actor, body)
        #else
        await withUnsafeContinuation(isolation: actor, body)
        #endif
    }

    /// Asks the publisher for more; during `receive(_:)` that call returns the demand, because not every operator expects a
    /// request then.
    private func ask(for demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let subscription: Recipient<any Subscription>? = self.locked.withLock { locked in
            guard locked.resumingCount == 0 else {
                locked.askedMeanwhile += demand
                return nil
            }
            return locked.subscription
        }
        subscription?.content.request(demand)
    }

    func cancel() {
        let (kept, loops, subscription) = self.locked.withLock { locked in
            defer { locked.waiting = [] }
            return (locked.machine.cancelled(), locked.waiting, locked.subscription.take())
        }
        subscription?.content.cancel()
        for loop in loops { loop.resume(returning: .end(.finished)) }
        _ = kept  // release the values here, outside the lock
    }
}
