// SPDX-License-Identifier: Apache-2.0

/// Limits for the number of connections, and for how long they are kept.
public struct PoolConfiguration: Hashable, Sendable {
    /// The maximum number of connections to one host, idle ones included; at least 1.
    ///
    /// Defaults to 64.
    ///
    /// Further calls wait, in the order in which they came. Go and reqwest have no limit, browsers have 6 (RFC 9112
    /// §9.4 asks for moderation). 64 is enough for a busy server process, and stops a runaway loop from using up all
    /// descriptors.
    public var maximumConnectionsPerHost: Int
    /// The maximum number of idle connections in all; beyond it, the one that has been idle longest is closed.
    ///
    /// Defaults to 256.
    public var maximumIdleConnections: Int
    /// The time a connection is kept idle.
    ///
    /// Defaults to 60 seconds, less than the 75 seconds after which nginx closes one.
    public var idleTimeout: Duration

    /// Creates a configuration; the properties describe the defaults and their reasons.
    package init(
        maximumConnectionsPerHost: Int = 64,
        maximumIdleConnections: Int = 256,
        idleTimeout: Duration = .seconds(60)
    ) {
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.maximumIdleConnections = maximumIdleConnections
        self.idleTimeout = idleTimeout
    }
}
