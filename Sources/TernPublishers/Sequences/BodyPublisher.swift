// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// Publishes the body of a response while it arrives: as lines, received pieces, server-sent events, or decoded values.
///
/// The client's own transport reads only a little ahead of a subscriber, so a slow subscriber slows down the server. Each
/// subscriber makes its own call, and learns of the end of the body only when it asks for one more value.
///
/// Parameters, start and cancellation are those of ``CallPublisher``; errors include those of reading the body. Without validation
/// rules, lines and pieces come from a response with any status, events and values only from a successful one (2xx).
public struct BodyPublisher<Output: Sendable>: Publisher, Sendable {
    public typealias Failure = ClientError

    private let attach: @Sendable (AnySubscriber<Output, ClientError>) -> Void

    init<Source: AsyncSequence<Output, ClientError> & Sendable>(
        _ open: @escaping @Sendable () async throws(ClientError) -> Source
    ) {
        self.attach = { subscriber in
            let driver = PullDriver<Source>(subscriber, open: open)
            DrivenSubscription(driver).attach(to: subscriber)
        }
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == ClientError {
        self.attach(AnySubscriber(subscriber))
    }
}

extension Client {
    /// Returns a publisher of the body at a URL, line by line; see ``linesPublisher(for:delegate:)``.
    public func linesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        self.linesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// Returns a publisher of the response body, line by line, without line endings, as it arrives.
    public func linesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.lines }
    }

    /// Returns a publisher of the body at a URL, in pieces as it arrives; see ``bytesPublisher(for:delegate:)``.
    public func bytesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        self.bytesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// Returns a publisher of the response body, in pieces as it arrives, none of them empty.
    public func bytesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.chunks }
    }
}
