// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

    /// Subscribes; hides the type of the sequence.
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
    /// A publisher of what is behind a URL, line by line.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the lines; see ``linesPublisher(for:delegate:)``.
    public func linesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        self.linesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// A publisher of the body that answers a request, line by line, as it arrives.
    ///
    /// The lines of a response of any status are published; a request with `validate(.success)` fails instead.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the lines, without their ends; it fails as `bytes(for:)` and its `lines` throw.
    public func linesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.lines }
    }

    /// A publisher of what is behind a URL, in the pieces in which it arrives.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the pieces; see ``bytesPublisher(for:delegate:)``.
    public func bytesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        self.bytesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// A publisher of the body that answers a request, in the pieces in which it arrives.
    ///
    /// The body of a response of any status is published; a request with `validate(.success)` fails instead.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: Receives the events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the pieces, none of them empty; it fails as `bytes(for:)` and its `chunks` throw.
    public func bytesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.chunks }
    }
}
