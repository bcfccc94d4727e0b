// SPDX-License-Identifier: Apache-2.0

/// The values of a publisher, for a loop; made by `asyncStream(bufferingPolicy:)`.
///
/// ```swift
/// let stream = timer.asyncStream()
/// for await tick in stream { print(tick) }
/// ```
///
/// The publisher is subscribed to when the stream is made, and asked for a value when the loop waits for one, or as its
/// ``BufferingPolicy`` says. The loop throws what the publisher fails with, and nothing else; where that is `Never`, it
/// needs no `try`.
///
/// The loop ends when the publisher finishes, after the values that were kept; and at once, without them, when the
/// stream is cancelled by ``cancel()`` or the task is. The subscription is cancelled then, and also when the loop is left
/// early and when the stream is released without a loop.
///
/// A value that was kept or is on its way then is dropped. What is more than memory, such as the file of a download, stays:
/// see <doc:DownloadingWithAPublisher>.
///
/// A stream is for one loop. Of several iterators each value goes to one, and the end of any ends all.
public final class CombineAsyncStream<Upstream: Publisher>: AsyncSequence, Sendable where Upstream.Output: Sendable {
    public typealias Element = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let subscriber: BridgeSubscriber<Upstream.Output, Upstream.Failure>

    /// Subscribes to a publisher.
    ///
    /// - Parameters:
    ///   - publisher: what to iterate over; it may send from any thread.
    ///   - bufferingPolicy: how many values to ask for, and what becomes of those that the loop has not taken yet; one at a
    ///     time by default.
    public init(_ publisher: Upstream, bufferingPolicy: BufferingPolicy = .oneAtATime) {
        self.subscriber = BridgeSubscriber(bufferingPolicy)
        publisher.subscribe(self.subscriber)
    }

    deinit { self.subscriber.cancel() }

    /// Ends the loop at once, and the subscription; from any thread, any number of times.
    public func cancel() { self.subscriber.cancel() }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Gives the values; belongs to one task, and cancels the stream when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        /// Ends the subscription with the last copy of the iterator, though the stream may be held elsewhere.
        private final class Life: Sendable {
            let stream: CombineAsyncStream

            init(_ stream: CombineAsyncStream) { self.stream = stream }

            deinit { self.stream.cancel() }
        }

        private let life: Life

        fileprivate init(_ stream: CombineAsyncStream) { self.life = Life(stream) }

        /// The next value; `nil` when the publisher has finished, or the stream or the task was cancelled.
        ///
        /// - Throws: what the publisher fails with, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Upstream.Failure) -> Upstream.Output? {
            try await self.life.stream.subscriber.next(isolation: actor)
        }
    }
}

@available(*, unavailable)
extension CombineAsyncStream.Iterator: Sendable {}

extension Publisher where Output: Sendable {
    /// The values of this publisher, for a loop; see ``CombineAsyncStream``.
    ///
    /// Values that are not `Sendable` have to be mapped to some that are: they go from the thread of the publisher to the
    /// task of the loop.
    ///
    /// - Parameter bufferingPolicy: how many values to ask for, and what becomes of those that the loop has not taken yet;
    ///   one at a time by default, so that no publisher that heeds demand can flood the loop.
    /// - Returns: the stream, subscribed to this publisher.
    public func asyncStream(bufferingPolicy: BufferingPolicy = .oneAtATime) -> CombineAsyncStream<Self> {
        CombineAsyncStream(self, bufferingPolicy: bufferingPolicy)
    }
}

/// How many values a `CombineAsyncStream` asks for, and what becomes of those that the loop has not taken yet.
///
/// Counts are at least 1; what is less counts as 1.
@nonexhaustive
public enum BufferingPolicy: Hashable, Sendable {
    /// Asks for a value when the loop waits for one: the publisher is as fast as the loop.
    ///
    /// A value that comes unasked, from a publisher that does not heed demand, is dropped.
    case oneAtATime
    /// Asks for this many values ahead of the loop, and for more as they are taken.
    ///
    /// A value that comes unasked, from a publisher that does not heed demand, is dropped.
    case prefetching(Int)
    /// Asks for all values at once, and keeps this many; while it is full, new ones are dropped.
    case bufferingOldest(Int)
    /// Asks for all values at once, and keeps this many; while it is full, each new one takes the place of the oldest.
    case bufferingNewest(Int)
}

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
