// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Where a connection of the network leads: an address, nothing of what is spoken there.
@nonexhaustive
public enum ConnectionEndpoint: Hashable, Sendable {
    /// A TCP port of a host, which is a name or an IPv4 or IPv6 address without brackets.
    case host(String, port: Int)
    /// A Unix-domain socket, by its path in the file system.
    case unixSocket(path: String)
}

extension ConnectionEndpoint: CustomStringConvertible {
    /// `host:port`, or the path.
    public var description: String {
        switch self {
        case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unixSocket(let path): path
        }
    }
}
