// SPDX-License-Identifier: Apache-2.0

/// The addresses of a connection, such as `192.0.2.1:443` or `[2001:db8::1]:443`, or the path of a Unix domain socket.
public struct ConnectionAddresses: Hashable, Sendable {
    /// The address of this side; `nil` if unknown.
    public var local: String?
    /// The address of the peer, or of the proxy if there is one; `nil` if unknown.
    public var remote: String?

    /// Creates the addresses.
    public init(local: String? = nil, remote: String? = nil) {
        self.local = local
        self.remote = remote
    }
}
