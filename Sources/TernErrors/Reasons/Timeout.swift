// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// A time limit of a call or of a WebSocket.
@nonexhaustive
public enum Timeout: Hashable, Sendable {
    /// Limits the time for name look-up, TCP and TLS together; with a proxy's tunnel, the limit begins again, perhaps repeatedly.
    case connect
    /// Limits the wait for a free connection (over HTTP/2, a free stream), or for a connection that another call is opening.
    case connection
    /// Limits the wait for the head of the final response, in most cases from the end of the request.
    case firstByte
    /// Limits a pause in the transfer, in which the peer usually sends nothing, and accepts nothing of what is to be sent.
    case idle
    /// Limits the whole call, from its start to the end of the body.
    case call
    /// Limits the time from a WebSocket's ping to the pong, or to any byte if the client sent the ping to keep it alive.
    case pong
    /// Limits the time from a WebSocket's Close frame to the end of its connection, which the client then closes without error.
    case close
}

extension Timeout: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .connect: "connecting"
        case .connection: "waiting for a free connection"
        case .firstByte: "waiting for the head of the response"
        case .idle: "waiting for the transfer to continue"
        case .call: "the whole call"
        case .pong: "waiting for the answer to a ping"
        case .close: "closing the WebSocket"
        }
    }
}
