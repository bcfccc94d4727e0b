// SPDX-License-Identifier: Apache-2.0

/// Publishes the elements of an asynchronous sequence; see `AsyncSequence.publisher`.
public struct AsyncSequencePublisher<Source: AsyncSequence & Sendable>: Publisher, Sendable
where Source.Element: Sendable {
    public typealias Output = Source.Element
    public typealias Failure = Source.Failure

    private let source: Source

    init(_ source: Source) { self.source = source }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let driver = PullDriver<Source>(AnySubscriber(subscriber)) { [source] () throws(Failure) in source }
        DrivenSubscription(driver).attach(to: subscriber)
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// A publisher of the elements, which asks the sequence for an element when a subscriber asks for one.
    ///
    /// For each subscriber, a task of its own iterates over the sequence; the task starts when the subscriber first
    /// asks for an element. A subscriber learns of the end only when it asks for one more element. Cancelling the
    /// subscription cancels the task.
    ///
    /// - Important: If the sequence can be read only once, the publisher serves only one subscriber. Examples are the
    ///   body of a response and its lines, an `AsyncStream`, and a ``CombineAsyncStream``. A second subscriber would
    ///   take elements from the first, or end the sequence for the first. For several subscribers, use `share()`. A
    ///   sequence that starts again with each iterator serves any number of subscribers.
    public var publisher: AsyncSequencePublisher<Self> { AsyncSequencePublisher(self) }
}
