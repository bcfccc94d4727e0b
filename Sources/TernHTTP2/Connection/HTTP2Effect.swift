// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import TernFields

/// An event that the machine found in received bytes, and that the driver must handle.
///
/// The driver handles the effects in their order.
package enum HTTP2Effect: Equatable, Sendable {
    /// The head of an interim response (1xx). Another head follows.
    case interim(HTTP2StreamID, HTTP2ResponseHead)
    /// The head of the final response.
    case head(HTTP2StreamID, HTTP2ResponseHead)
    /// A part of the content, as a range of the input of the same call of
    /// ``HTTP2ConnectionStateMachine/receive(_:at:effects:)``.
    ///
    /// When the content was read, the driver must call ``HTTP2ConnectionStateMachine/consumed(_:on:)`` with its length.
    /// If content stays unread, the driver must call ``HTTP2ConnectionStateMachine/reset(_:_:)`` instead, even after
    /// ``end(_:)``.
    case data(HTTP2StreamID, Range<Int>)
    /// The trailers of the response. ``end(_:)`` follows.
    case trailers(HTTP2StreamID, FieldSection)
    /// The response is complete. The request may still go on.
    case end(HTTP2StreamID)
    /// The client cannot send the rest of the request, although the response is complete: the server does not want the
    /// rest, or the stream or the connection failed. The response stays valid: "Clients MUST NOT discard responses as a
    /// result of receiving such a RST_STREAM" (RFC 9113 §8.1).
    case requestStopped(HTTP2StreamID, HTTP2ErrorCode)
    /// The stream ended before its response was complete.
    case failed(HTTP2StreamID, HTTP2StreamFailure, HTTP2Delivery)
    /// The send window of a stream was closed and is now open.
    case windowOpened(HTTP2StreamID)
    /// The send window of the connection was closed and is now open, so streams with an open window may send.
    case connectionWindowOpened
    /// The server sent SETTINGS. The number of streams that the client may open may have changed.
    case settingsChanged
    /// The server answered the driver's PING with this payload.
    case pingAnswered(UInt64)
    /// The server sent GOAWAY and accepts no further streams. For each open stream above `lastStream`, an effect that
    /// ends the stream, such as `failed`, comes first.
    case goingAway(lastStream: HTTP2StreamID, HTTP2ErrorCode, debugData: [UInt8])
    /// The server broke a rule that ends the connection. The driver must send the output and then close the connection.
    /// The machine ignores further input.
    case connectionFailed(HTTP2Violation)
}

/// The reason that a stream ended before its response was complete.
package enum HTTP2StreamFailure: Error, Hashable, Sendable {
    /// The server reset the stream.
    case reset(HTTP2ErrorCode)
    /// The server broke a rule on the stream, and the client reset it.
    case violation(HTTP2Violation)
    /// The server sent GOAWAY and did not process the stream.
    case goingAway(HTTP2ErrorCode)
    /// The connection failed because the server broke a rule.
    case connectionFailed(HTTP2Violation)
    /// The connection was closed or broke.
    case connectionEnded
}

/// Whether the server may have processed a request whose stream failed.
package enum HTTP2Delivery: Hashable, Sendable {
    /// The server says that it has not processed the request, so a request of any method may be sent again (RFC 9113
    /// §8.7).
    case refused
    /// The server may have processed the request.
    case unknown
}
