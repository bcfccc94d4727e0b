// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why no connection could be made, or how one ended before the response head was complete.
@nonexhaustive
public enum ConnectionFailure: Hashable, Sendable {
    /// The host name has no address, or could not be looked up.
    case resolution(isTemporary: Bool)
    /// The host answered that no program listens on the port.
    case refused
    /// The server or the network reset the connection.
    case reset
    /// The network did not deliver the connection to the host: a router or the host's own network reports so, or there was
    /// no answer at all.
    case unreachable
    /// This device has no route to the host's network: as a rule it is offline.
    ///
    /// A device without IPv6 also reports it for a host that has only an IPv6 address.
    case noNetwork
    /// The Unix-domain socket does not exist.
    case socketNotFound
    /// This process, or the system, has as many files and sockets open as it may.
    ///
    /// Nothing is wrong with the server. Close what is not needed, make fewer calls at once, or raise the limit
    /// (`ulimit -n`).
    case tooManyOpenFiles
    /// The system did not let this process connect, or reading or writing failed; the number is the system's `errno`.
    case system(errno: Int32)
    /// The attempt ended for another reason before it was complete.
    case interrupted
    /// The server closed the connection in order.
    case closed
    /// The connection was closed on this side, by the client being shut down.
    case shutDown
}

extension ConnectionFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .resolution(isTemporary: true): "the host name could not be looked up just now"
        case .resolution(isTemporary: false): "the host name has no address"
        case .refused: "the host refused it; does the server listen on this port?"
        case .reset: "it was reset"
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
