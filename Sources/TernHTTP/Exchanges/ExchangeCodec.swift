// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernFields
import TernTransport

/// Sends one request and reads its response in one version of HTTP, while ``Exchange`` decides what to send and when.
protocol ExchangeCodec: ~Copyable, Sendable {
    associatedtype Sink: BodySink

    var control: any ExchangeControl { get }

    // MARK: The request

    /// Sends the head of the request, and the body with it if the body is short.
    mutating func sendHead(of request: OutgoingRequest, for call: HTTPCall) async throws(ClientError) -> SentHead

    var hasSent: Bool { get }

    func makeSink(for request: OutgoingRequest, _ call: HTTPCall, _ activity: any ExchangeActivity) -> Sink

    /// The last instant at which the network took bytes that the sink had handed over, unless the sink itself reports it.
    var lastSent: ClockInstant? { get }

    /// Notes that the body of the request will not be sent, although its head has announced it.
    mutating func omitBody()

    // MARK: The response

    /// Waits for the next event, and for `byteCount` bytes of a body, or fewer if the message may end before that.
    mutating func next(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ResponseFailure) -> ResponseEvent

    mutating func nextAvailable() throws(ResponseFailure) -> ResponseEvent?

    /// Returns the whole body if it arrived in one piece with the head, before any part of it is read; otherwise `nil`.
    mutating func takeWholeBody() -> ByteBuffer?

    /// Whether the server accepts this request only over HTTP/1.1.
    var requiresHTTP1: Bool { get }

    var hasReceived: Bool { get }

    var decodedByteCount: Int64 { get }

    /// Whether the response may end with trailers; known once its head was read.
    var mayHaveTrailers: Bool { get }

    var trailers: FieldSection? { get }

    var isReusable: Bool { get }

    /// Returns the connection for another protocol, if the server accepted an upgrade (RFC 9110 §7.8), or the proxy opened a tunnel
    /// (§9.3.6); the slot is then detached (HTTP/1.1), or belongs to the connection (HTTP/2).
    mutating func upgrade(by head: Response.Head, in slot: Slot) -> UpgradedConnection?
}

protocol ExchangeControl: AnyObject, Sendable {
    /// Sets a deadline for all reads of the response, in addition to each read's own deadline; `nil` removes it.
    func limitReads(to deadline: CallDeadline?)

    /// Ends the exchange, so that its reads and writes fail; not for an exchange that has given back its slot.
    func abort()
}

struct SentHead {
    var streamNumber: Int?
    /// The length of the head in bytes; 0 if it is not known yet and the call has no observer.
    var headByteCount: Int
    var bodyByteCount: Int?
    var needsUpload: Bool
}

extension Response.Head {
    var isSuccessful: Bool { 200..<300 ~= self.statusCode }
}
