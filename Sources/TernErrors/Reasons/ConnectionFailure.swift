// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a connection could not be made, or ended before the head of the response was complete.
@nonexhaustive
public enum ConnectionFailure: Hashable, Sendable {
    /// The host name has no address, or the look-up failed.
    case resolution(isTemporary: Bool)
    /// The host answered that no program listens on the port.
    case refused
    /// The server or the network reset the connection.
    case reset
    /// The network did not deliver the connection to the host: a router or the host's network reported that, or nothing
    /// answered.
    case unreachable
    /// This device has no route to the host's network; usually it is offline.
    ///
    /// A device without IPv6 also reports this case for a host that has only an IPv6 address.
    case noNetwork
    /// The file of the Unix-domain socket does not exist.
    case socketNotFound
    /// This process, or the system, has the maximum number of files and sockets open.
    ///
    /// The server is not the cause. Close files and connections, make fewer calls at once, or raise the limit (`ulimit
    /// -n`).
    case tooManyOpenFiles
    /// The system did not allow the connection, or reading or writing failed; the number is the system's `errno`.
    case system(errno: Int32)
    /// Connecting ended for another reason before it was complete.
    case interrupted
    /// The server closed the connection in an orderly way.
    case closed
    /// The client was shut down, which closed the connection on this side.
    case shutDown
}

extension ConnectionFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String {
        switch self {
        case .resolution(isTemporary: true): "the host name could not be looked up; try again"
        case .resolution(isTemporary: false): "the host name has no address"
        case .refused: "the host refused the connection; check that the server listens on this port"
        case .reset: "reset by the server or the network"
        case .unreachable: "the host cannot be reached"
        case .noNetwork: "this device has no route to the host's network"
        case .socketNotFound: "the socket does not exist"
        case .tooManyOpenFiles: "too many open files"
        case .system(let errno): SystemError.text(errno)
        case .interrupted: "the attempt was interrupted"
        case .closed: "closed by the server"
        case .shutDown: "the client was shut down"
        }
    }
}
