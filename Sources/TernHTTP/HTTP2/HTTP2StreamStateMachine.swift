// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernFields
import TernHTTP2
import TernTransport

/// Remembers what the exchange and the session have done with one stream.
///
/// The core of HTTP/2 knows the states of RFC 9113 §5.1, and forgets a stream that both sides have ended. An exchange
/// may still read then, and it may give up before its stream was opened. So this machine has the two directions of the
/// stream as the exchange sees them.
struct HTTP2StreamStateMachine: Sendable {
    /// The consequences of an end of the stream.
    struct End {
        /// The number of the stream, if it was opened.
        var id: HTTP2StreamID?
        /// The wait of the task that sends the body, which must fail.
        var wait: UnsentContent.Wait?
        /// Whether the task that reads learns that there is no more.
        var endsReading: Bool
    }

    private enum Request: Sendable {
        /// No head was sent. Ends when the session opens the stream, or when the exchange ends before that.
        case unopened
        /// The session takes content. Ends with the last of it, or early.
        case open(HTTP2StreamID)
        /// The network has the whole request. This state is final.
        case complete(HTTP2StreamID)
        /// The stream sends nothing more, although the request is not complete: it was reset, the server wants no more, the
        /// exchange has given up, or the connection has ended. This state is final.
        case closed(HTTP2StreamID?)
    }

    private enum Response: Sendable {
        /// More may arrive. Ends with the end of the response, or early.
        case open
        /// The whole response has arrived. This state is final.
        ///
        /// `isRead`: whether the session counts the content as read, although the exchange may not have read all of it.
        case complete(isRead: Bool)
        /// The response has ended early. This state is final.
        case failed(ResponseFailure)
    }

    private var request = Request.unopened
    private var response = Response.open
    private var interimHeads: [TernTransport.Response.Head] = []
    private var head: TernTransport.Response.Head?
    private var isQueued = false

    /// The content of the request that waits for the windows.
    var unsent = UnsentContent()
    /// The last instant at which the session sent content; `nil` before the first.
    var lastSent: ClockInstant?
    /// The fields after the content; `nil` if none have arrived.
    var trailers: FieldSection?

    // MARK: The request

    /// The number of the stream; `nil` until it was opened.
    var id: HTTP2StreamID? {
        switch self.request {
        case .unopened: nil
        case .open(let id), .complete(let id): id
        case .closed(let id): id
        }
    }

    /// The number of the stream, if the session takes content for it.
    var openID: HTTP2StreamID? {
        if case .open(let id) = self.request { id } else { nil }
    }

    /// Whether the exchange may still open the stream.
    var mayOpen: Bool {
        if case .unopened = self.request { true } else { false }
    }

    /// The session has opened the stream.
    ///
    /// - Parameters:
    ///   - id: The number of the stream.
    ///   - isComplete: Whether the network has the whole request.
    /// - Returns: Whether the exchange still wants the stream; if not, the session resets it.
    mutating func opened(as id: HTTP2StreamID, isComplete: Bool) -> Bool {
        guard self.mayOpen else {
            self.request = .closed(id)
            return false
        }
        self.request = isComplete ? .complete(id) : .open(id)
        return true
    }

    /// The network has the end of the request.
    ///
    /// - Returns: Whether the response is complete, too.
    mutating func requestEnded() -> Bool {
        if case .open(let id) = self.request { self.request = .complete(id) }
        return self.isResponseComplete
    }

    /// The stream has content to send.
    ///
    /// - Returns: Whether to add it to the queue of the session; `false` if it is there.
    mutating func joinsQueue() -> Bool {
        defer { self.isQueued = true }
        return !self.isQueued
    }

    /// The stream has its turn to send content.
    mutating func leavesQueue() { self.isQueued = false }

    // MARK: The response

    /// Whether the whole response has arrived.
    var isResponseComplete: Bool {
        if case .complete = self.response { true } else { false }
    }

    /// Whether the network has the whole request, and the whole response has arrived.
    var isComplete: Bool {
        if case .complete = self.request { self.isResponseComplete } else { false }
    }

    /// The number of the stream, if the exchange must report what it reads.
    var reportingID: HTTP2StreamID? {
        if case .complete(isRead: true) = self.response { nil } else { self.id }
    }

    /// The reason why the response ended early.
    var failure: ResponseFailure? {
        if case .failed(let failure) = self.response { failure } else { nil }
    }

    /// A head has arrived.
    mutating func receive(_ head: TernTransport.Response.Head, isInterim: Bool) {
        if isInterim { self.interimHeads.append(head) } else { self.head = head }
    }

    /// Takes the next head; `nil` if none has arrived.
    mutating func takeHead() -> ResponseEvent? {
        if !self.interimHeads.isEmpty { return .informational(self.interimHeads.removeFirst()) }
        return self.head.take().map { .head($0) }
    }

    /// The response has ended.
    ///
    /// - Parameter isRead: Whether the session counts the content as read.
    /// - Returns: Whether the network has the whole request, too.
    mutating func responseEnded(isRead: Bool) -> Bool {
        if case .open = self.response { self.response = .complete(isRead: isRead) }
        return self.isComplete
    }

    // MARK: Early ends

    /// The stream has ended before its response was complete, or its connection has ended.
    mutating func failed(_ failure: ResponseFailure) -> End {
        var end = self.closed()
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
