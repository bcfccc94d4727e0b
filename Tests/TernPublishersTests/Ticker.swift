// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

@testable import TernPublishers

/// A timer without time: once connected, it ticks on a separate thread, and ticks without demand are lost.
final class Ticker: ConnectablePublisher, Sendable {
    typealias Output = Int
    typealias Failure = Never

    private struct Place {
        let subscriber: Recipient<AnySubscriber<Int, Never>>
        var demand = Subscribers.Demand.none
    }

    private final class Ticks: Subscription, Sendable {
        private let ticker: Ticker

        init(_ ticker: Ticker) { self.ticker = ticker }

        func request(_ demand: Subscribers.Demand) { self.ticker.place.withLock { $0?.demand += demand } }

        func cancel() {
            let place = self.ticker.place.withLock { $0.take() }
            withExtendedLifetime(place) {}  // releases the object here, without a lock
        }
    }

    /// The number of times that a test connected the ticker.
    let connections = Flag()
    /// A flag that is raised when the ticker's thread has ended.
    let end = Flag()
    private let cancellation = Flag()
    private let place = Mutex<Place?>(nil)

    /// Whether a subscriber receives the ticks.
    var hasSubscriber: Bool { self.place.withLock { $0 != nil } }

    func receive(subscriber: some Subscriber<Int, Never>) {
        let recipient = Recipient(AnySubscriber(subscriber))
        self.place.withLock { $0 = Place(subscriber: recipient) }
        subscriber.receive(subscription: Ticks(self))
    }

    func connect() -> any Cancellable {
        self.connections.raise()
        Thread.detachNewThread {
            var count = 0
            while !self.cancellation.isRaised {
                self.tick(count)
                count += 1
                sched_yield()
            }
            self.end.raise()
        }
        return AnyCancellable { self.cancellation.raise() }
    }

    private func tick(_ count: Int) {
        let subscriber: Recipient<AnySubscriber<Int, Never>>? = self.place.withLock { place in
            guard let demand = place?.demand, demand > .none else { return nil }
            place?.demand -= 1
            return place?.subscriber
        }
        guard let demand = subscriber?.content.receive(count) else { return }
        self.place.withLock { $0?.demand += demand }
    }
}
