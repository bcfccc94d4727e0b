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
    /// A publisher of the elements, which are asked for one by one, each when a subscriber has asked for it.
    ///
    /// Each subscriber iterates for itself, in a task that begins with its first demand. The end is found by asking for one
    /// element more, so it needs demand, too. Cancelling the subscription cancels the task.
    ///
    /// - Important: of a sequence that can be read only once, the publisher is for one subscriber: the body of a response
    ///   and its lines, an `AsyncStream`, a ``CombineAsyncStream``. A second one would take elements from the first, or end
    ///   them. For several, use `share()`. A sequence that starts again with each iterator serves any number.
    public var publisher: AsyncSequencePublisher<Self> { AsyncSequencePublisher(self) }
}
