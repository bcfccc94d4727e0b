// SPDX-License-Identifier: Apache-2.0

/// An asynchronous sequence of a publisher's values; created by `asyncStream(bufferingPolicy:)`.
///
/// ```swift
/// let stream = timer.asyncStream()
/// for await tick in stream { print(tick) }
/// ```
///
/// The stream subscribes to the publisher when it is created. Its ``BufferingPolicy`` decides when it asks for values:
/// by default, when the loop waits for one. The loop throws only the publisher's failure; if the failure type is
/// `Never`, the loop needs no `try`.
///
/// When the publisher finishes, the loop gets the values that the stream has kept, and then ends. When ``cancel()`` is
/// called or the task is cancelled, the loop ends at once, without these values. The stream then cancels its
/// subscription. It does the same when the program leaves the loop early, or releases the stream without a loop.
///
/// A cancellation drops the values that are kept or on their way. Resources outside memory, such as the file of a
/// download, remain: see <doc:DownloadingWithAPublisher>.
///
/// A stream is for one loop. With several iterators, each value goes to one of them, and the end of any iterator ends
/// all iterators.
public final class CombineAsyncStream<Upstream: Publisher>: AsyncSequence, Sendable where Upstream.Output: Sendable {
    public typealias Element = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let subscriber: BridgeSubscriber<Upstream.Output, Upstream.Failure>

    /// Subscribes to a publisher.
    ///
    /// - Parameters:
    ///   - publisher: The publisher to iterate over. It may send from any thread.
    ///   - bufferingPolicy: The number of values to ask for, and the handling of values that the loop has not taken.
    ///     Defaults to one at a time.
    public init(_ publisher: Upstream, bufferingPolicy: BufferingPolicy = .oneAtATime) {
        self.subscriber = BridgeSubscriber(bufferingPolicy)
        publisher.subscribe(self.subscriber)
    }

    deinit { self.subscriber.cancel() }

    /// Ends the loop and the subscription immediately.
    ///
    /// Can be called from any thread, any number of times.
    public func cancel() { self.subscriber.cancel() }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Delivers the values.
    ///
    /// An iterator belongs to one task, and cancels the stream when it is released.
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

        /// Returns the next value; `nil` when the publisher has finished, or when the stream or the task was cancelled.
        ///
        /// - Throws: The publisher's failure, once; later calls return `nil`.
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
    /// Returns an asynchronous sequence of this publisher's values; see ``CombineAsyncStream``.
    ///
    /// Values go from the publisher's thread to the loop's task, so they must be `Sendable`. Map other values to
    /// `Sendable` ones.
    ///
    /// - Parameter bufferingPolicy: The number of values to ask for, and the handling of values that the loop has not
    ///   taken. Defaults to one at a time, so that a publisher that respects demand cannot flood the loop.
    /// - Returns: The stream, subscribed to this publisher.
    public func asyncStream(bufferingPolicy: BufferingPolicy = .oneAtATime) -> CombineAsyncStream<Self> {
        CombineAsyncStream(self, bufferingPolicy: bufferingPolicy)
    }
}

/// The number of values that a `CombineAsyncStream` asks for, and the handling of values that the loop has not taken.
///
/// Counts are at least 1; smaller numbers count as 1.
@nonexhaustive
public enum BufferingPolicy: Hashable, Sendable {
    /// Asks for a value when the loop waits for one, so that the publisher is as fast as the loop.
    ///
    /// A value that arrives without demand, from a publisher that ignores demand, is dropped.
    case oneAtATime
    /// Asks for this many values ahead of the loop, and for more as the loop takes them.
    ///
    /// A value that arrives without demand, from a publisher that ignores demand, is dropped.
    case prefetching(Int)
    /// Asks for an unlimited number of values, and keeps at most this many; while the buffer is full, drops new values.
    case bufferingOldest(Int)
    /// Asks for an unlimited number of values, and keeps at most this many; while the buffer is full, a new value
    /// replaces the oldest.
    case bufferingNewest(Int)
}

/// Receives the values of a publisher for a loop, and hides their type from the driver.
///
/// Generic code of a library is compiled once for all types and looks up each type at run time. The look-ups took more
/// than half of the time for each value, so only this type is generic. The driver and its machine handle objects that
/// carry a value.
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

    /// Ends every loop and the subscription immediately.
    func cancel() { self.driver.cancel() }
}
