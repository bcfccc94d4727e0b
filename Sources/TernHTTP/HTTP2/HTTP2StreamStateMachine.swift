// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernFields
import TernHTTP2
import TernTransport

/// Remembers what the exchange and the session have done with one stream.
///
/// `HTTP2ConnectionStateMachine` forgets a stream that both sides have ended, but an exchange may still read then, or give up
/// before the stream was opened.
struct HTTP2StreamStateMachine: Sendable {
    struct End {
        var id: HTTP2StreamID?
        var wait: UnsentContent.Wait?
        var endsReading: Bool
    }

    private enum Request: Sendable {
        /// The session has not opened the stream. Ends when it opens the stream, or when the exchange ends before that.
        case unopened
        /// The session takes content. Ends with the end of the request, or early.
        case open(HTTP2StreamID)
        /// The session has encoded the whole request.
        case complete(HTTP2StreamID)
        /// The request was given up, perhaps before the session opened the stream.
        case closed(HTTP2StreamID?)
    }

    private enum Response: Sendable {
        /// More may arrive. Ends with the end of the response, or early.
        case open
        /// The whole response has arrived; `isRead` if all content counts as read, even if the exchange has not read it.
        case complete(isRead: Bool)
        case failed(ResponseFailure)
    }

    private var request = Request.unopened
    private var response = Response.open
    private var interimHeads: [TernTransport.Response.Head] = []
    private var head: TernTransport.Response.Head?
    private var isQueued = false

    var unsent = UnsentContent()
    var lastSent: ClockInstant?
    var trailers: FieldSection?

    // MARK: The request

    var id: HTTP2StreamID? {
        switch self.request {
        case .unopened: nil
        case .open(let id), .complete(let id): id
        case .closed(let id): id
        }
    }

    var openID: HTTP2StreamID? {
        if case .open(let id) = self.request { id } else { nil }
    }

    var mayOpen: Bool {
        if case .unopened = self.request { true } else { false }
    }

    /// Opens the stream; returns whether the exchange still wants it, or else the session resets it.
    mutating func opened(as id: HTTP2StreamID, isComplete: Bool) -> Bool {
        guard self.mayOpen else {
            self.request = .closed(id)
            return false
        }
        self.request = isComplete ? .complete(id) : .open(id)
        return true
    }

    /// Records the end of the request; returns whether the response is complete, too.
    mutating func requestEnded() -> Bool {
        if case .open(let id) = self.request { self.request = .complete(id) }
        return self.isResponseComplete
    }

    /// Returns whether to add the stream to the queue of the session; `false` if it is there.
    mutating func joinsQueue() -> Bool {
        defer { self.isQueued = true }
        return !self.isQueued
    }

    mutating func leavesQueue() { self.isQueued = false }

    // MARK: The response

    var isResponseComplete: Bool {
        if case .complete = self.response { true } else { false }
    }

    var isComplete: Bool {
        if case .complete = self.request { self.isResponseComplete } else { false }
    }

    /// The number of the stream, if the exchange must report what it reads.
    var reportingID: HTTP2StreamID? {
        if case .complete(isRead: true) = self.response { nil } else { self.id }
    }

    var failure: ResponseFailure? {
        if case .failed(let failure) = self.response { failure } else { nil }
    }

    mutating func receive(_ head: TernTransport.Response.Head, isInterim: Bool) {
        if isInterim { self.interimHeads.append(head) } else { self.head = head }
    }

    mutating func takeHead() -> ResponseEvent? {
        if !self.interimHeads.isEmpty { return .informational(self.interimHeads.removeFirst()) }
        return self.head.take().map { .head($0) }
    }

    /// Records the end of the response; returns whether the request is complete, too.
    mutating func responseEnded(isRead: Bool) -> Bool {
        if case .open = self.response { self.response = .complete(isRead: isRead) }
        return self.isComplete
    }

    // MARK: Early ends

    /// The stream has ended before its response was complete, or its connection has ended.
    mutating func failed(_ failure: ResponseFailure) -> End {
        var end = self.closed()
        if case .opening = failure { self.request = .closed(nil) }  // the server knows nothing of the stream
        guard case .open = self.response else { return end }
        self.response = .failed(failure)
        end.endsReading = true
        return end
    }

    /// The server does not read the rest of the request, or the exchange does not need the stream any more.
    mutating func closed() -> End {
        switch self.request {
        case .unopened: self.request = .closed(nil)
        case .open(let id): self.request = .closed(id)
        case .complete, .closed: break
        }
        return End(id: self.id, wait: self.unsent.removeAll(), endsReading: false)
    }
}
