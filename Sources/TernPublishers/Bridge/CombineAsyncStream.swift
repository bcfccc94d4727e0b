// SPDX-License-Identifier: Apache-2.0

/// An asynchronous sequence of a publisher's values; see `asyncStream(bufferingPolicy:)`.
///
/// ```swift
/// let stream = timer.asyncStream()
/// for await tick in stream { print(tick) }
/// ```
///
/// The stream subscribes when it is created, and its ``BufferingPolicy`` decides when it asks for values. The loop throws only
/// the publisher's failure; if the failure type is `Never`, it needs no `try`. When the publisher finishes, the loop gets the
/// values that the stream has kept, and then ends.
///
/// The subscription ends, and values that are kept or on their way are dropped, when ``cancel()`` is called, a cancelled task
/// awaits a value, the program leaves the loop, or the stream is released. Resources outside memory remain, such as the file of a
/// download: see <doc:DownloadingWithAPublisher>.
///
/// A stream is for one loop. With several iterators, each value goes to one of them, and the end of any iterator ends all of
/// them.
public final class CombineAsyncStream<Upstream: Publisher>: AsyncSequence, Sendable where Upstream.Output: Sendable {
    public typealias Element = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let subscriber: BridgeSubscriber<Upstream.Output, Upstream.Failure>

    /// Subscribes to a publisher, which may send from any thread.
    public init(_ publisher: Upstream, bufferingPolicy: BufferingPolicy = .oneAtATime) {
        self.subscriber = BridgeSubscriber(bufferingPolicy)
        publisher.subscribe(self.subscriber)
    }

    deinit { self.subscriber.cancel() }

    /// Ends the subscription at once, and the loop as soon as it awaits a value; any thread may call it, any number of times.
    public func cancel() { self.subscriber.cancel() }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Delivers the values to one task, and cancels the stream when its last copy is released.
    public struct Iterator: AsyncIteratorProtocol {
        /// Ends the subscription when the last copy of the iterator is released, even if the stream is retained
        /// elsewhere.
        private final class Life: Sendable {
            let stream: CombineAsyncStream

            init(_ stream: CombineAsyncStream) { self.stream = stream }

            deinit { self.stream.cancel() }
        }

        private let life: Life

        fileprivate init(_ stream: CombineAsyncStream) { self.life = Life(stream) }

        /// Returns the next value; `nil` after the end or a cancellation, and after it has thrown the publisher's failure.
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
    /// Returns a ``CombineAsyncStream`` of this publisher's values, which must be `Sendable`, because they go to the loop's task.
    public func asyncStream(bufferingPolicy: BufferingPolicy = .oneAtATime) -> CombineAsyncStream<Self> {
        CombineAsyncStream(self, bufferingPolicy: bufferingPolicy)
    }
}

/// The demand of a `CombineAsyncStream`, and the handling of values that the loop has not taken; a count below 1 counts as 1.
///
/// `oneAtATime` and `prefetching` drop a value that the stream did not ask for: the publisher has ignored the demand.
@nonexhaustive
public enum BufferingPolicy: Hashable, Sendable {
    /// Asks for a value when the loop waits for one, so that the publisher is no faster than the loop.
    case oneAtATime
    /// Asks for this many values ahead of the loop, and for more as the loop takes them.
    case prefetching(Int)
    /// Asks for an unlimited number of values, and keeps at most this many; while the buffer is full, drops new values.
    case bufferingOldest(Int)
    /// Asks for an unlimited number of values, and keeps at most this many; in a full buffer, a new value replaces the oldest.
    case bufferingNewest(Int)
}

/// Receives the values of a publisher for a loop; its driver is not generic, because look-ups of types at run time are slow.
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
        case .value(let carrier): return unsafeDowncast(carrier, to: Carrier.self).value  // created by `receive(_:)`
        case .end(.finished): return nil
        case .end(.failure(let error)):
            // The error comes from `receive(completion:)`, so it has this type.
            if let failure = error as? Failure { throw failure }
            return nil
        }
    }

    func cancel() { self.driver.cancel() }
}
