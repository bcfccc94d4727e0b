// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernFields
import TernHTTP2
import TernRequests
import TernTransport

/// One stream, which the exchange, its sender and the session's reader share.
///
/// The session's reader puts heads and content in; the exchange takes them out. The content waits in an ``Inbox``, so
/// that time limits, cancellation and reads of a minimum length work as on a connection. Locks are taken in this order:
/// the session's, the stream's, the inbox's.
final class HTTP2ExchangeStream: Sendable {
    /// The maximum number of bytes that a read can wait for.
    ///
    /// This is a quarter of the default initial window of a stream. If a read waited for much more, the windows might
    /// not let the server send so much before the client has read some content.
    static let maximumMinimumByteCount = FlowPolicy().initialStreamWindowByteCount / 4

    let session: HTTP2Session
    let inbox: Inbox
    let state = Mutex(HTTP2StreamStateMachine())

    init(_ session: HTTP2Session) {
        self.session = session
        self.inbox = Inbox(limit: Self.maximumMinimumByteCount, clock: session.timers, source: session.source)
    }

    // MARK: The exchange's side

    /// The last instant at which the session sent content; `nil` before the first.
    var lastSent: ClockInstant? { self.state.withLock { $0.lastSent } }

    /// Takes the next head; `nil` if none has arrived.
    func takeHead() -> ResponseEvent? {
        self.state.withLock { $0.takeHead() }
    }

    /// Returns the failure of the response for an error of a read.
    ///
    /// The error `closed` does not say why the stream ended, so the result is then the reason that the stream recorded,
    /// if there is one.
    func failure(by error: ConnectionError) -> ResponseFailure {
        switch error {
        case .closed: self.state.withLock { $0.failure } ?? .connection(error)
        default: .connection(error)
        }
    }

    /// The fields after the content, and whether the request and the response are complete.
    var end: (trailers: FieldSection?, isComplete: Bool) {
        self.state.withLock { ($0.trailers, $0.isComplete) }
    }

    /// Tells the server a new priority (RFC 9218 §7.1).
    func updatePriority(_ priority: RequestPriority) {
        guard let id = self.state.withLock({ $0.id }) else { return }
        self.session.updatePriority(of: id, priority)
    }

    // MARK: The session's side

    /// Records that a head has arrived.
    ///
    /// Call ``arrived(endsResponse:)`` afterwards.
    func receive(_ head: HTTP2ResponseHead, isInterim: Bool) {
        let head = Response.Head(head)
        self.state.withLock { $0.receive(head, isInterim: isInterim) }
        self.inbox.notice()  // before any content, so that a read cannot get content in place of the head
    }

    /// Records that trailers have arrived.
    ///
    /// Call ``arrived(endsResponse:)`` afterwards.
    func receive(_ trailers: FieldSection) { self.state.withLock { $0.trailers = trailers } }

    /// Wakes the reader for everything that has arrived.
    ///
    /// - Parameter endsResponse: Whether the whole response has arrived.
    func arrived(endsResponse: Bool) {
        guard endsResponse else { return self.inbox.arrived() }
        // One event, so that the reader is not woken for the content and then once more for the end.
        self.inbox.end(nil)
    }

    /// Records that the stream has ended before its response was complete.
    func fail(_ failure: ResponseFailure) {
        let end = self.state.withLock { $0.failed(failure) }
        if end.endsReading { self.inbox.end(.closed) }
        end.wait?.resume(with: .failure(.closed))
    }

    /// Records that the server does not read the rest of the request.
    func stopRequest() {
        self.state.withLock { $0.closed() }.wait?.resume(with: .failure(.closed))
    }
}

extension HTTP2ExchangeStream: ExchangeControl {
    func limitReads(to deadline: CallDeadline?) { self.inbox.limitReads(to: deadline) }

    func abort() { self.abort(.cancel) }

    /// Resets the stream, unless request and response are complete, and drops the rest of the response.
    func abort(_ code: HTTP2ErrorCode) {
        let end = self.state.withLock { $0.closed() }
        if let id = end.id { self.session.reset(id, code) }
        self.inbox.close()
        end.wait?.resume(with: .failure(.closed))
    }
}

extension Response.Head {
    /// Creates the head of a response from a decoded head of HTTP/2, without copying its bytes.
    fileprivate init(_ head: HTTP2ResponseHead) {
        self.init(
            statusCode: head.statusCode,
            version: .http2,
            contentLength: head.contentLength,
            noticedFields: head.noticedFields,
            fields: head.fields
        )
    }
}
