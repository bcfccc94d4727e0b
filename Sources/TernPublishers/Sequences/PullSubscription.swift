// SPDX-License-Identifier: Apache-2.0

/// What a subscriber of a sequence holds.
final class PullSubscription<Source: AsyncSequence & Sendable>: Subscription, Sendable {
    private let driver: PullDriver<Source>

    init(_ driver: PullDriver<Source>) { self.driver = driver }

    deinit { self.driver.abandon() }

    /// Gives itself to the subscriber, and lets the work begin that it asks for meanwhile: never before it has returned.
    func attach(to subscriber: some Subscriber<Source.Element, Source.Failure>) {
        // A subscriber that does not hold it would release it here, before it is attached.
        withExtendedLifetime(self) {
            subscriber.receive(subscription: self)
            self.driver.attached()
        }
    }

    func request(_ demand: Subscribers.Demand) { self.driver.request(demand) }

    func cancel() { self.driver.cancel() }
}
