// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// Publishes the body of a response while the body arrives: as lines, as the received pieces, as server-sent events, or
/// as decoded values.
///
/// The client sends nothing before a subscriber asks for a value, and reads from the connection only when the
/// subscriber asks for more. A slow subscriber therefore slows down the server instead of filling the memory. Each
/// subscriber makes a call of its own, and learns of the end of the body only when it asks for one more value.
///
/// The task that reads the body delivers the values, one at a time. Any thread can cancel, which ends the call at once;
/// a value that the task has already begun to deliver may still arrive.
public struct BodyPublisher<Output: Sendable>: Publisher, Sendable {
    public typealias Failure = ClientError

    /// Attaches a subscriber, in a closure that hides the type of the sequence.
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
    /// Returns a publisher of the body at a URL, line by line.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the lines; see ``linesPublisher(for:delegate:)``.
    public func linesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        self.linesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// Returns a publisher of the response body, line by line, as it arrives.
    ///
    /// The publisher publishes the lines whatever the status of the response, unless the request or the client has
    /// validation rules. With `validate(.success)` on the request, it fails if the status is not 2xx.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the lines, without line endings. It fails with the errors of `bytes(for:)` and its
    ///   `lines`.
    public func linesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.lines }
    }

    /// Returns a publisher of the body at a URL, in the pieces in which it arrives.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the pieces; see ``bytesPublisher(for:delegate:)``.
    public func bytesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        self.bytesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// Returns a publisher of the response body, in the pieces in which it arrives.
    ///
    /// The publisher publishes the body whatever the status of the response, unless the request or the client has
    /// validation rules. With `validate(.success)` on the request, it fails if the status is not 2xx.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the pieces, none of them empty. It fails with the errors of `bytes(for:)` and its
    ///   `chunks`.
    public func bytesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.chunks }
    }
}
