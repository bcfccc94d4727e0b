// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a connection could not be made, or that it or an exchange ended too early.
@nonexhaustive
public enum ConnectionFailure: Hashable, Sendable {
    /// The look-up of the host name found no usable address; if `isTemporary`, no name server could answer, so try later.
    case resolution(isTemporary: Bool)
    /// The host refused the connection, as when no program listens on the port; with `URLSession`, also an unexplained failure.
    case refused
    /// The server, the proxy or the network reset the connection.
    case reset
    /// The network reported that the host cannot be reached, nothing answered, or the address cannot be used.
    case unreachable
    /// This device has no route to the host's network, or may not use it: for example, it is offline, or has no IPv6 for the host.
    case noNetwork
    /// The file of the Unix-domain socket does not exist.
    case socketNotFound
    /// This process, or the system, has too many files and sockets open to spare another descriptor (`ulimit -n`).
    case tooManyOpenFiles
    /// Connecting, reading or writing failed; the number is an `errno`, such as `ETIMEDOUT` for a server that answers no PING.
    case system(errno: Int32)
    /// Connecting, or an exchange of `URLSession`, ended early for a reason that no other case names.
    case interrupted
    /// The connection was closed, as a rule by the server or the proxy, or accepts no more requests.
    case closed
    /// The server or the proxy ended the exchange over HTTP/2 (RFC 9113 §6.4, §6.8), with this error code (§7).
    case streamReset(code: UInt32)
    /// The client was shut down before the call had a connection.
    case shutDown
}

extension ConnectionFailure: CustomStringConvertible, Described {
    package var wording: String { self.wording(of: "server") }

    func wording(of peer: String) -> String {
        switch self {
        case .resolution(isTemporary: true): "no name server answered; check the network and try again"
        case .resolution(isTemporary: false): "the host name has no address; check its spelling"
        case .refused: "the host refused the connection; check that the \(peer) listens on this port"
        case .reset: "the \(peer) or the network reset the connection"
        case .unreachable: "the host cannot be reached"
        case .noNetwork: "this device has no route to the host's network"
        case .socketNotFound: "the file of the Unix-domain socket does not exist"
        case .tooManyOpenFiles: "the process has too many files and connections open"
        case .system(let errno): SystemError.text(errno)
        case .interrupted: "the attempt to connect was interrupted"
        case .closed: "the \(peer) closed the connection"
        case .streamReset(let code): "the \(peer) ended the exchange with the HTTP/2 error code \(code)"
        case .shutDown: "the client was shut down"
        }
    }
}
