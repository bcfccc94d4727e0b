// SPDX-License-Identifier: Apache-2.0

/// Delivers the values that a subscriber asks for.
///
/// Any thread may call the methods of a driver.
protocol SubscriptionDriver: AnyObject, Sendable {
    /// Tells the driver that the subscriber has received its subscription.
    func attached()
    /// Tells the driver that the subscriber asks for more values.
    func request(_ demand: Subscribers.Demand)
    /// Tells the driver that the subscriber cancels.
    func cancel()
    /// Tells the driver that the subscription was released.
    ///
    /// From then on, the subscriber can ask for more values only during a delivery.
    func abandon()
}

/// The subscription of one subscriber to a call or a sequence; the subscriber retains it.
final class DrivenSubscription: Subscription, Sendable {
    private let driver: any SubscriptionDriver

    init(_ driver: any SubscriptionDriver) { self.driver = driver }

    deinit { self.driver.abandon() }

    /// Passes the subscription to the subscriber.
    ///
    /// If the subscriber asks for values during this call, the work for them begins only after the subscriber has
    /// returned.
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
