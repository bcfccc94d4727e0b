// SPDX-License-Identifier: Apache-2.0

/// How many connections are kept, and for how long.
public struct PoolConfiguration: Hashable, Sendable {
    /// How many connections one host may have at once, idle ones included; 64 by default, at least 1.
    ///
    /// Further calls wait, in the order in which they came. Go and reqwest have no limit, browsers have 6 (RFC 9112 §9.4
    /// asks for moderation); 64 serves a busy server process, and keeps a runaway loop from exhausting descriptors.
    public var maximumConnectionsPerHost: Int
    /// How many idle connections are kept in all; 256 by default, beyond which the one idle longest is closed.
    public var maximumIdleConnections: Int
    /// How long a connection is kept idle; 60 s by default, less than the 75 s after which nginx closes one.
    public var idleTimeout: Duration

    /// Creates a configuration; see the properties for the defaults and their reasons.
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
