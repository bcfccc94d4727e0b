// SPDX-License-Identifier: Apache-2.0

/// Delivers the values that a subscriber asks for; any thread may call the methods.
protocol SubscriptionDriver: AnyObject, Sendable {
    func attached()
    func request(_ demand: Subscribers.Demand)
    func cancel()
    /// The subscription was released: from now on, the subscriber can ask for more values only during a delivery.
    func abandon()
}

/// The subscription of one subscriber to a call or a sequence; the subscriber retains it.
final class DrivenSubscription: Subscription, Sendable {
    private let driver: any SubscriptionDriver

    init(_ driver: any SubscriptionDriver) { self.driver = driver }

    deinit { self.driver.abandon() }

    /// Passes the subscription on; work for values that the subscriber asks for meanwhile begins only after it has returned.
    func attach(to subscriber: some Subscriber) {
        // A subscriber that does not retain the subscription would release it here, before `attached()` is called.
        withExtendedLifetime(self) {
            subscriber.receive(subscription: self)
            self.driver.attached()
        }
    }

    func request(_ demand: Subscribers.Demand) { self.driver.request(demand) }

    func cancel() { self.driver.cancel() }
}
