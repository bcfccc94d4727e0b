// SPDX-License-Identifier: Apache-2.0

/// Publishes the body of a response while it arrives: in lines, or in the pieces in which it comes.
///
/// Nothing is sent before a subscriber asks for a value, and nothing is read from the connection that nobody has asked
/// for: a slow subscriber slows the server and not the memory. Each subscriber causes a call of its own. The end is found
/// by asking for one value more, so it needs demand, too.
///
/// Values come from the task that reads, one at a time. Cancelling ends the call at once, from any thread; a value that the
/// task has begun to deliver by then may still arrive.
public struct BodyPublisher<Output: Sendable>: Publisher, Sendable {
    public typealias Failure = ClientError

    /// Subscribes; the type of the sequence is nobody's business.
    private let attach: @Sendable (AnySubscriber<Output, ClientError>) -> Void

    init<Source: AsyncSequence<Output, ClientError> & Sendable>(
        _ open: @escaping @Sendable () async throws(ClientError) -> Source
    ) {
        self.attach = { subscriber in
            let driver = PullDriver<Source>(subscriber, open: open)
            PullSubscription(driver).attach(to: subscriber)
        }
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == ClientError {
        self.attach(AnySubscriber(subscriber))
    }
}
