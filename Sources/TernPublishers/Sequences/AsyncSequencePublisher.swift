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
    /// A separate task iterates over the sequence for each subscriber, from its first demand until the subscription ends.
    /// A subscriber learns of the end only when it asks for one more element.
    ///
    /// - Important: If the sequence can be read only once, such as the body of a response, its lines, an `AsyncStream` or a
    ///   ``CombineAsyncStream``, the publisher serves only one subscriber. For several subscribers, use `share()`.
    public var publisher: AsyncSequencePublisher<Self> { AsyncSequencePublisher(self) }
}
