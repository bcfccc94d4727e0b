// SPDX-License-Identifier: Apache-2.0

/// The limits of the connection pool: the number of connections, and the time that they are kept idle.
public struct PoolConfiguration: Hashable, Sendable {
    /// The maximum number of connections to one host, including idle connections; at least 1.
    ///
    /// Defaults to 64.
    ///
    /// At the limit, further calls wait, and the call that has waited longest gets the next free connection. Go and
    /// reqwest have no limit, and browsers allow 6 connections (RFC 9112 §9.4 asks for moderation). 64 connections are
    /// enough for a busy server process, and stop a runaway loop from using up all descriptors.
    public var maximumConnectionsPerHost: Int
    /// The maximum number of idle connections to all hosts together.
    ///
    /// Beyond this number, the client closes the connection that has been idle longest.
    ///
    /// Defaults to 256.
    public var maximumIdleConnections: Int
    /// The time after which the client closes an idle connection.
    ///
    /// Defaults to 60 seconds, which is less than the 75 seconds after which nginx closes an idle connection. The time
    /// in which the machine sleeps, or the system suspends the process, counts.
    public var idleTimeout: Duration

    /// Creates a configuration.
    ///
    /// The comments of the properties give reasons for the defaults.
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
