// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// The network endpoint of a connection, without the protocol that the server speaks there.
@nonexhaustive
public enum ConnectionEndpoint: Hashable, Sendable {
    /// A TCP port of a host: a name, or an IPv4 or IPv6 address without brackets.
    case host(String, port: Int)
    /// A Unix domain socket, with its path in the file system.
    case unixSocket(path: String)
}

extension ConnectionEndpoint: CustomStringConvertible {
    /// The host and the port as `host:port` or `[address]:port`, or the path of the socket.
    public var description: String {
        switch self {
        case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unixSocket(let path): path
        }
    }
}
