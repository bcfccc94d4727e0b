// SPDX-License-Identifier: Apache-2.0

/// Takes the values of a publisher for a loop; what is behind it knows nothing of their type.
///
/// The generic code of a library is compiled once for all types, and looks up each type that it uses while it runs, which
/// was more than half of what a value cost. So only this is generic; the driver and its machine handle what carries a value.
final class BridgeSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private final class Carrier: Sendable {
        let value: Input

        init(_ value: Input) { self.value = value }
    }

    private let driver: BridgeDriver

    init(_ policy: BufferingPolicy) { self.driver = BridgeDriver(policy) }

    func receive(subscription: any Subscription) { self.driver.receive(subscription: subscription) }

    func receive(_ input: Input) -> Subscribers.Demand { self.driver.receive(Carrier(input)) }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: self.driver.receive(completion: .finished)
        case .failure(let error): self.driver.receive(completion: .failure(error))
        }
    }

    func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
        switch await self.driver.next(isolation: actor) {
        case .value(let carrier): return unsafeDowncast(carrier, to: Carrier.self).value  // it comes from `receive(_:)`
        case .end(.finished): return nil
        case .end(.failure(let error)):
            // It comes from `receive(completion:)`, so there is no other.
            if let failure = error as? Failure { throw failure }
            return nil
        }
    }

    /// Ends every loop at once, and the subscription.
    func cancel() { self.driver.cancel() }
}
