// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernFields
import TernTransport

/// Sends one request and reads its response, in one version of HTTP.
///
/// ``Exchange`` decides what to send and when. The codec knows how a version of HTTP writes requests and reads
/// responses.
protocol ExchangeCodec: ~Copyable, Sendable {
    /// Receives the body of the request.
    associatedtype Sink: BodySink

    /// The control with which any task can end the exchange and limit its reads.
    var control: any ExchangeControl { get }

    // MARK: The request

    /// Sends the head of the request, and the body with it if the body is short.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call, whose time limits apply.
    /// - Returns: The part of the request that was sent.
    /// - Throws: `ClientError`; ``hasSent`` tells whether the codec handed any byte to the network before the error.
    mutating func sendHead(of request: OutgoingRequest, for call: HTTPCall) async throws(ClientError) -> SentHead

    /// Whether the codec has handed any byte of the request to the network.
    var hasSent: Bool { get }

    /// Returns the receiver of the rest of the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call, whose time limits apply.
    ///   - activity: Learns when a part of the body was accepted.
    /// - Returns: The sink.
    func makeSink(for request: OutgoingRequest, _ call: HTTPCall, _ activity: any ExchangeActivity) -> Sink

    /// The last instant at which the network took bytes of the body after the sink had handed them over; `nil` if there
    /// is none, or if the sink itself tells.
    var lastSent: ClockInstant? { get }

    /// Notes that the body of the request will not be sent, although its head has announced it.
    mutating func omitBody()

    // MARK: The response

    /// Waits for the next event.
    ///
    /// For a body, waits until `byteCount` bytes have arrived, or fewer if the message may end before that.
    mutating func next(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ResponseFailure) -> ResponseEvent

    /// Returns the next event, if enough bytes have arrived for one.
    mutating func nextAvailable() throws(ResponseFailure) -> ResponseEvent?

    /// Returns the whole body if it arrived together with the head; otherwise `nil`.
    ///
    /// Call this method before any part of the body is read.
    mutating func takeWholeBody() -> ByteBuffer?

    /// Whether the server has refused the request because it accepts such a request only over HTTP/1.1.
    var requiresHTTP1: Bool { get }

    /// Whether anything of the response has arrived.
    var hasReceived: Bool { get }

    /// The number of decoded bytes of the response.
    var decodedByteCount: Int64 { get }

    /// Whether the response may end with trailers; known once its head was read.
    var mayHaveTrailers: Bool { get }

    /// The trailer section, once the response has ended with one.
    var trailers: FieldSection? { get }

    /// Whether the exchange is complete, so that its slot may serve another.
    var isReusable: Bool { get }

    /// Returns the connection that the server has given to another protocol (RFC 9110 §7.8).
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - slot: The slot of the exchange. If the server accepted the upgrade, this method detaches the slot (HTTP/1.1)
    ///     or passes it to the returned connection (HTTP/2).
    /// - Returns: The connection; `nil` if the server did not accept an upgrade.
    mutating func upgrade(by head: Response.Head, in slot: Slot) -> UpgradedConnection?
}

/// Controls one exchange from any task.
protocol ExchangeControl: AnyObject, Sendable {
    /// Sets a deadline for the current read and all later reads of the response, in addition to each read's own
    /// deadline; `nil` removes the deadline that an earlier call of this method has set.
    func limitReads(to deadline: CallDeadline?)

    /// Ends the exchange at once: its reads and writes fail. Does nothing after the end of the exchange.
    func abort()
}

/// The part of a request that was sent with its head.
struct SentHead {
    /// The number of the stream that the head has opened; `nil` for HTTP/1.1.
    var streamNumber: Int?
    /// The length of the head in bytes; 0 if it is not known yet and the call has no observer.
    var headByteCount: Int
    /// The length of the body in bytes; `nil` if none of it was sent with the head.
    var bodyByteCount: Int?
    /// Whether the rest of the body must be sent.
    var needsUpload: Bool
}
