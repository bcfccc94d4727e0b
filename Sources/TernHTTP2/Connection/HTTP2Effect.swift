// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import TernFields

/// An event that the machine found in received bytes, for the driver to handle in order.
package enum HTTP2Effect: Equatable, Sendable {
    /// The head of an interim response (1xx), after which another head must come.
    case interim(HTTP2StreamID, HTTP2ResponseHead)
    case head(HTTP2StreamID, HTTP2ResponseHead)
    /// A part of the content, as a range of the input of the same ``HTTP2ConnectionStateMachine/receive(_:at:effects:)``.
    ///
    /// Unless the stream fails, the driver must pass the length to ``HTTP2ConnectionStateMachine/consumed(_:on:)`` when it has read
    /// the part, or else call ``HTTP2ConnectionStateMachine/reset(_:_:)``, even after ``end(_:)``.
    case data(HTTP2StreamID, Range<Int>)
    /// The trailers of the response, which ``end(_:)`` follows.
    case trailers(HTTP2StreamID, FieldSection)
    /// The response is complete, while the request may go on.
    case end(HTTP2StreamID)
    /// The client cannot send the rest of the request, but the response stays valid: "Clients MUST NOT discard responses as a
    /// result of receiving such a RST_STREAM" (RFC 9113 §8.1).
    case requestStopped(HTTP2StreamID, HTTP2ErrorCode)
    /// The stream ended before its response was complete.
    case failed(HTTP2StreamID, HTTP2StreamFailure, HTTP2Delivery)
    /// The send window of a stream was closed and is now open.
    case windowOpened(HTTP2StreamID)
    /// The send window of the connection was closed and is now open, so streams with an open window may send.
    case connectionWindowOpened
    case settingsChanged
    case pingAnswered(UInt64)
    /// The server sent GOAWAY; for each open stream above `lastStream`, an effect such as `failed` came first.
    case goingAway(lastStream: HTTP2StreamID, HTTP2ErrorCode, debugData: [UInt8])
    /// The server broke a rule or a limit; the driver must send the output and then close the connection.
    case connectionFailed(HTTP2Violation)
}

package enum HTTP2StreamFailure: Error, Hashable, Sendable {
    case reset(HTTP2ErrorCode)
    /// The server broke a rule or a limit on the stream, and the client reset it.
    case violation(HTTP2Violation)
    /// The server sent GOAWAY and did not process the stream.
    case goingAway(HTTP2ErrorCode)
    case connectionFailed(HTTP2Violation)
    case connectionEnded
}

/// Whether the server may have processed a request whose stream failed.
package enum HTTP2Delivery: Hashable, Sendable {
    /// The server has not processed the request, so a request of any method may be sent again (RFC 9113 §8.7).
    case refused
    case unknown
}
