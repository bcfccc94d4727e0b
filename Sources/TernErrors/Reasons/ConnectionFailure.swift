// SPDX-License-Identifier: Apache-2.0

/// Why no connection could be made.
@nonexhaustive
public enum ConnectionFailure: Hashable, Sendable {
    /// The host name has no address, or could not be looked up.
    case resolution(isTemporary: Bool)
    /// The host answered that nobody listens on the port.
    case refused
    /// The connection was reset while it was being made.
    case reset
    /// There is no route to the host or network.
    case unreachable
    /// The Unix-domain socket does not exist.
    case socketNotFound
    /// This process may not connect, or has no file descriptors left; the number is the system's `errno`.
    case system(errno: Int32)
    /// The attempt ended for another reason before it was complete.
    case interrupted
}

extension ConnectionFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .resolution(isTemporary: true): "the host name could not be looked up just now"
        case .resolution(isTemporary: false): "the host name has no address"
        case .refused: "the connection was refused; does the server listen on this port?"
        case .reset: "the connection was reset"
        case .unreachable: "the host cannot be reached"
        case .socketNotFound: "the socket does not exist"
        case .system(let errno): "system error \(errno)"
        case .interrupted: "the attempt was interrupted"
        }
    }
}

/// How a connection ended before the response head was complete.
@nonexhaustive
public enum ConnectionLoss: Hashable, Sendable {
    /// The server closed it in order.
    case closed
    /// The server or the network reset it.
    case reset
    /// Reading or writing failed; the number is the system's `errno`.
    case system(errno: Int32)
    /// It was closed on this side, by the client being shut down.
    case shutDown
}

extension ConnectionLoss: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .closed: "closed by the server"
        case .reset: "reset"
        case .system(let errno): "system error \(errno)"
        case .shutDown: "the client was shut down"
        }
    }
}

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

extension Timeout: CustomStringConvertible {
    /// What was awaited, as the subject of a sentence.
    public var description: String {
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
