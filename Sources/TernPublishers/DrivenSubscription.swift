// SPDX-License-Identifier: Apache-2.0

/// What brings a subscriber the values that it asks for; may be called from any thread.
protocol SubscriptionDriver: AnyObject, Sendable {
    /// The subscriber has its subscription.
    func attached()
    /// The subscriber asks for more.
    func request(_ demand: Subscribers.Demand)
    /// The subscriber wants nothing more.
    func cancel()
    /// The subscription was released, so no more values can be asked for.
    func abandon()
}

/// What a subscriber of a call or of a sequence holds.
final class DrivenSubscription: Subscription, Sendable {
    private let driver: any SubscriptionDriver

    init(_ driver: any SubscriptionDriver) { self.driver = driver }

    deinit { self.driver.abandon() }

    /// Gives itself to the subscriber, and lets the work begin that it asks for meanwhile: never before it has returned.
    func attach(to subscriber: some Subscriber) {
        // A subscriber that does not hold it would release it here, before it is attached.
        withExtendedLifetime(self) {
            subscriber.receive(subscription: self)
            self.driver.attached()
        }
    }

    func request(_ demand: Subscribers.Demand) { self.driver.request(demand) }

    func cancel() { self.driver.cancel() }
}
