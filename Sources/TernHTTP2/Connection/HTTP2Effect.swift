// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import TernFields

/// A result of received bytes.
///
/// The driver acts on effects in their order.
package enum HTTP2Effect: Equatable, Sendable {
    /// An interim response (1xx); another head follows.
    case interim(HTTP2StreamID, HTTP2ResponseHead)
    /// The final response.
    case head(HTTP2StreamID, HTTP2ResponseHead)
    /// A part of the content, as a range of the input of the same call.
    ///
    /// After the content was read, the driver calls ``HTTP2ConnectionStateMachine/consumed(_:on:)`` with its length. If
    /// the driver reads no more of the content, it calls ``HTTP2ConnectionStateMachine/reset(_:_:)`` instead, even
    /// after the end.
    case data(HTTP2StreamID, Range<Int>)
    /// The trailers; ``end(_:)`` follows.
    case trailers(HTTP2StreamID, FieldSection)
    /// The response is complete. The request may still go on.
    case end(HTTP2StreamID)
    /// The server does not want the rest of the request, after ``end(_:)`` has come. "Clients MUST NOT discard
    /// responses as a result of receiving such a RST_STREAM" (RFC 9113 §8.1).
    case requestStopped(HTTP2StreamID, HTTP2ErrorCode)
    /// The stream ended before its response was complete.
    case failed(HTTP2StreamID, HTTP2StreamFailure, HTTP2Delivery)
    /// The window of a stream was closed and is now open.
    case windowOpened(HTTP2StreamID)
    /// The window of the connection was closed and is now open, so streams with an open window may send.
    case connectionWindowOpened
    /// The server sent SETTINGS, so more or fewer streams may be opened than before.
    case settingsChanged
    /// The server answered a PING of the driver.
    case pingAnswered(UInt64)
    /// The server accepts no further streams. Those above `lastStream` were reported as failed before.
    case goingAway(lastStream: HTTP2StreamID, HTTP2ErrorCode, debugData: [UInt8])
    /// The server broke a rule that ends the connection. The driver sends the output, then closes the connection. The
    /// machine ignores further input.
    case connectionFailed(HTTP2Violation)
}

/// The reason that a stream ended before its response was complete.
package enum HTTP2StreamFailure: Error, Hashable, Sendable {
    /// The server reset the stream.
    case reset(HTTP2ErrorCode)
    /// The response broke a rule, and the client reset the stream.
    case violation(HTTP2Violation)
    /// The server sent GOAWAY and did not process the stream.
    case goingAway(HTTP2ErrorCode)
    /// The connection failed.
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
