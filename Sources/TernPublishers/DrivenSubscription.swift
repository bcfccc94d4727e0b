// SPDX-License-Identifier: Apache-2.0

/// Delivers the values that a subscriber asks for.
///
/// Its methods may be called from any thread.
protocol SubscriptionDriver: AnyObject, Sendable {
    /// The subscriber has received its subscription.
    func attached()
    /// The subscriber asks for more values.
    func request(_ demand: Subscribers.Demand)
    /// The subscriber cancels.
    func cancel()
    /// The subscription was released, so no more values can be asked for.
    func abandon()
}

/// The subscription that a subscriber of a call or of a sequence retains.
final class DrivenSubscription: Subscription, Sendable {
    private let driver: any SubscriptionDriver

    init(_ driver: any SubscriptionDriver) { self.driver = driver }

    deinit { self.driver.abandon() }

    /// Passes itself to the subscriber.
    ///
    /// Work that the subscriber asks for during this call begins only after the subscriber has returned.
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
