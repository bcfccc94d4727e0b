// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The limits of time that a call has, each for one kind of waiting.
@nonexhaustive
public enum Timeout: Hashable, Sendable {
    /// Name look-up, TCP and TLS together.
    case connect
    /// Waiting for a free connection, because the host has as many as it may.
    case connection
    /// From the end of the request to the first byte of the response.
    case firstByte
    /// Between two pieces of the response, or of the request, while the peer neither sends nor takes anything.
    case idle
    /// The whole call, from its start to the end of the body.
    case call
    /// From a WebSocket's ping to the peer's pong.
    case pong
    /// From a WebSocket's close to the end of the connection.
    case close
}

extension Timeout: CustomStringConvertible, Described {
    /// What was awaited, as the subject of a sentence.
    package var wording: String {
        switch self {
        case .connect: "connecting"
        case .connection: "waiting for a free connection"
        case .firstByte: "waiting for the first byte"
        case .idle: "waiting for more data"
        case .call: "the whole call"
        case .pong: "waiting for the answer to a ping"
        case .close: "closing"
        }
    }
}
