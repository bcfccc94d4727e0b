// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import TernPublishers

/// A subscriber that records the received events, and whether two calls overlapped.
final class RecordingSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    /// The events that the subscriber received.
    struct Log: Sendable {
        var values: [Input] = []
        var completions: [Subscribers.Completion<Failure>] = []
        var subscriptionCount = 0
        var hasOverlapped = false
    }

    typealias OnSubscription = @Sendable (any Subscription) -> Void
    typealias OnValue = @Sendable (Input, (any Subscription)?) -> Subscribers.Demand

    private let log = Mutex(Log())
    private let held = Mutex<Recipient<any Subscription>?>(nil)
    private let isCalled = Atomic(false)
    private let onSubscription: OnSubscription
    private let onValue: OnValue

    init(
        onSubscription: @escaping OnSubscription = { _ in },
        onValue: @escaping OnValue = { _, _ in .none }
    ) {
        self.onSubscription = onSubscription
        self.onValue = onValue
    }

    /// Creates a subscriber that requests a number of values at once.
    convenience init(demand: Subscribers.Demand) { self.init(onSubscription: { $0.request(demand) }) }

    var values: [Input] { self.log.withLock { $0.values } }
    var completions: [Subscribers.Completion<Failure>] { self.log.withLock { $0.completions } }
    var subscriptionCount: Int { self.log.withLock { $0.subscriptionCount } }
    var hasOverlapped: Bool { self.log.withLock { $0.hasOverlapped } }
    var isFinished: Bool {
        if case .finished? = self.completions.first { true } else { false }
    }
    var failure: Failure? {
        if case .failure(let error)? = self.completions.first { error } else { nil }
    }

    func request(_ demand: Subscribers.Demand) { self.held.withLock { $0 }?.content.request(demand) }

    /// Requests values for the last time, and releases the subscription.
    ///
    /// All objects of the subscription are deallocated after they deliver these values.
    ///
    /// A deallocated object delivers nothing more, so a test that waits for the release can see whether too many values
    /// arrived.
    func request(last demand: Subscribers.Demand) { self.held.withLock { $0.take() }?.content.request(demand) }

    func cancel() { self.held.withLock { $0.take() }?.content.cancel() }

    /// Waits until the subscriber receives the completion.
    func waitForCompletion() async {
        await expectEventually("the subscriber is told of the end") { !self.completions.isEmpty }
    }

    /// Waits until the subscriber has a number of values.
    func waitForValues(_ count: Int) async {
        await expectEventually("the subscriber has \(count) values") { self.values.count >= count }
    }

    func receive(subscription: any Subscription) {
        self.alone {
            let recipient = Recipient(subscription)
            self.held.withLock { $0 = recipient }
            self.log.withLock { $0.subscriptionCount += 1 }
            self.onSubscription(subscription)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        self.alone {
            self.log.withLock { $0.values.append(input) }
            return self.onValue(input, self.held.withLock { $0 }?.content)
        }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        self.alone {
            self.log.withLock { $0.completions.append(completion) }
            self.held.withLock { $0 = nil }
        }
    }

    private func alone<Result>(_ body: () -> Result) -> Result {
        if self.isCalled.exchange(true, ordering: .acquiringAndReleasing) {
            self.log.withLock { $0.hasOverlapped = true }
        }
        defer { self.isCalled.store(false, ordering: .releasing) }
        return body()
    }
}

/// A publisher that passes its subscriber to a closure of the test.
struct ScriptedPublisher<Output: Sendable, Failure: Error>: Publisher {
    let attach: @Sendable (AnySubscriber<Output, Failure>) -> Void

    func receive(subscriber: some Subscriber<Output, Failure>) { self.attach(AnySubscriber(subscriber)) }
}

/// A subscription that counts requests and cancellations.
final class CountingSubscription: Subscription, Sendable {
    private let requested = Mutex<[Subscribers.Demand]>([])
    private let cancellations = Flag()
    private let onRequest: @Sendable (Subscribers.Demand) -> Void

    init(onRequest: @escaping @Sendable (Subscribers.Demand) -> Void = { _ in }) { self.onRequest = onRequest }

    var demands: [Subscribers.Demand] { self.requested.withLock { $0 } }
    var cancelCount: Int { self.cancellations.count }

    func request(_ demand: Subscribers.Demand) {
        self.requested.withLock { $0.append(demand) }
        self.onRequest(demand)
    }

    func cancel() { self.cancellations.raise() }
}
