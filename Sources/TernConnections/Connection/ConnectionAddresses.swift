// SPDX-License-Identifier: Apache-2.0

/// The two ends of a connection: `host:port`, with IPv6 addresses in brackets, or the path of a Unix-domain socket.
public struct ConnectionAddresses: Hashable, Sendable {
    /// This side's; `nil` if it is not known.
    public var local: String?
    /// The peer's, which is the proxy's where there is one; `nil` if it is not known.
    public var remote: String?

    /// Describes the ends; neither is known by default.
    public init(local: String? = nil, remote: String? = nil) {
        self.local = local
        self.remote = remote
    }
}
