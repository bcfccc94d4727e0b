// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import TernFields

/// What received bytes come to; the driver acts on effects in their order.
package enum HTTP2Effect: Equatable, Sendable {
    /// An interim response (1xx); more heads follow.
    case interim(HTTP2StreamID, HTTP2ResponseHead)
    /// The final response.
    case head(HTTP2StreamID, HTTP2ResponseHead)
    /// A part of the content, as a place in the input of the same call.
    ///
    /// Once it is read, ``HTTP2ConnectionStateMachine/consumed(_:on:)`` has to be called with its length; a
    /// driver that reads no further calls ``HTTP2ConnectionStateMachine/reset(_:_:)`` instead, also after the end.
    case data(HTTP2StreamID, Range<Int>)
    /// The trailers, before the end.
    case trailers(HTTP2StreamID, FieldSection)
    /// The response is complete. The request may still be under way.
    case end(HTTP2StreamID)
    /// After ``end(_:)``: the server does not want the rest of the request. "Clients MUST NOT discard responses as a
    /// result of receiving such a RST_STREAM" (RFC 9113 §8.1).
    case requestStopped(HTTP2StreamID, HTTP2ErrorCode)
    /// The stream ended before its response had.
    case failed(HTTP2StreamID, HTTP2StreamFailure, HTTP2Delivery)
    /// A stream whose window was closed may send.
    case windowOpened(HTTP2StreamID)
    /// The connection's window was closed, and now streams may send whose own window is open.
    case connectionWindowOpened
    /// The server's settings changed, maybe with the number of streams that may be opened.
    case settingsChanged
    /// A PING of the driver's was answered.
    case pingAnswered(UInt64)
    /// The server takes no further streams; those above `lastStream` were reported as failed.
    case goingAway(lastStream: HTTP2StreamID, HTTP2ErrorCode, debugData: [UInt8])
    /// The server broke a rule that ends the connection. Send the output, then close; nothing is read any more.
    case connectionFailed(HTTP2Violation)
}

/// Why a stream ended before its response had.
package enum HTTP2StreamFailure: Error, Hashable, Sendable {
    /// The server reset it.
    case reset(HTTP2ErrorCode)
    /// The response broke a rule, and the client reset it.
    case violation(HTTP2Violation)
    /// The server went away without it.
    case goingAway(HTTP2ErrorCode)
    /// The connection failed.
    case connectionFailed(HTTP2Violation)
    /// The connection ended without notice.
    case connectionEnded
}

/// What the server made of a request whose stream failed.
package enum HTTP2Delivery: Hashable, Sendable {
    /// It says that it has not processed it, so that it may be sent again whatever its method (RFC 9113 §8.7).
    case refused
    /// It may have processed it.
    case unknown
}
