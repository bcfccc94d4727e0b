// SPDX-License-Identifier: Apache-2.0

/// What a subscriber of a call holds.
final class CallSubscription<Output: Sendable>: Subscription, Sendable {
    private let driver: CallDriver<Output>

    init(_ driver: CallDriver<Output>) { self.driver = driver }

    deinit { self.driver.abandon() }

    /// Gives itself to the subscriber, and lets the work begin that it asks for meanwhile: never before it has returned.
    func attach(to subscriber: some Subscriber<Output, ClientError>) {
        // A subscriber that does not hold it would release it here, before it is attached.
        withExtendedLifetime(self) {
            subscriber.receive(subscription: self)
            self.driver.attached()
        }
    }

    func request(_ demand: Subscribers.Demand) { self.driver.request(demand) }

    func cancel() { self.driver.cancel() }
}
