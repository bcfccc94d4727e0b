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
/// Content waits in an `Inbox`, so that time limits and cancellation work as on a connection. Locks are taken in this order: the
/// session's, the stream's, the inbox's. The first two are short: what wakes a task follows after them.
final class HTTP2ExchangeStream: Sendable {
    /// The maximum number of bytes that a read can wait for: a quarter of the default window, because the windows might not let the
    /// server send much more before the client has read some content.
    static let maximumMinimumByteCount = FlowPolicy().initialStreamWindowByteCount / 4

    let session: HTTP2Session
    let inbox: Inbox
    let state = ShortMutex(HTTP2StreamStateMachine())

    init(_ session: HTTP2Session) {
        self.session = session
        self.inbox = Inbox(limit: Self.maximumMinimumByteCount, clock: session.timers, source: session.source)
    }

    // MARK: The exchange's side

    var lastSent: ClockInstant? { self.state.withLock { $0.lastSent } }

    func takeHead() -> ResponseEvent? {
        self.state.withLock { $0.takeHead() }
    }

    /// Returns the failure for an error of a read; `closed` becomes the reason that the stream recorded.
    func failure(by error: ConnectionError) -> ResponseFailure {
        switch error {
        case .closed: self.state.withLock { $0.failure } ?? .connection(error)
        default: .connection(error)
        }
    }

    /// Why the connection has taken nothing of the stream; `nil` if it may have.
    var openingFailure: HTTP2OpeningFailure? {
        if case .opening(let failure)? = self.state.withLock({ $0.failure }) { failure } else { nil }
    }

    var end: (trailers: FieldSection?, isComplete: Bool) {
        self.state.withLock { ($0.trailers, $0.isComplete) }
    }

    func updatePriority(_ priority: RequestPriority) {
        guard let id = self.state.withLock({ $0.id }) else { return }
        self.session.updatePriority(of: id, priority)
    }

    // MARK: The session's side

    /// Records that a head has arrived; ``arrived(endsResponse:)`` follows.
    func receive(_ head: HTTP2ResponseHead, isInterim: Bool) {
        let head = Response.Head(head)
        self.state.withLock { $0.receive(head, isInterim: isInterim) }
        self.inbox.notice()  // before any content, so that a read cannot get content in place of the head
    }

    func receive(_ trailers: FieldSection) { self.state.withLock { $0.trailers = trailers } }

    /// Wakes the reader for everything that has arrived.
    func arrived(endsResponse: Bool) {
        guard endsResponse else { return self.inbox.arrived() }
        // One event, so that the reader is not woken for the content and then once more for the end.
        self.inbox.end(nil)
    }

    func fail(_ failure: ResponseFailure) {
        let end = self.state.withLock { $0.failed(failure) }
        if end.endsReading { self.inbox.end(.closed) }
        end.wait?.resume(with: .failure(.closed))
    }

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
