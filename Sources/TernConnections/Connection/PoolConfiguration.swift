// SPDX-License-Identifier: Apache-2.0

/// The limits of the pool of the client's own transport: the number of connections, and the time that they are kept idle.
public struct PoolConfiguration: Hashable, Sendable {
    /// The maximum number of connections to one host, including idle connections; a value below 1 counts as 1.
    ///
    /// Beyond it, calls wait, and usually the call that has waited longest gets the next free connection. Over HTTP/2, calls can
    /// share a connection, up to the number of streams that the server allows. Connections that differ in the port, the route or
    /// the choice of HTTP versions count separately, and open WebSockets over HTTP/1.1 do not count. Defaults to 64 (RFC 9112
    /// §9.4 asks for moderation).
    public var maximumConnectionsPerHost: Int
    /// The maximum number of idle connections to all hosts; 256 by default.
    ///
    /// Beyond it, the client closes the connection that has been idle longest.
    public var maximumIdleConnections: Int
    /// The time after which the client no longer uses an idle connection; time in which the machine or process sleeps counts.
    ///
    /// Beyond it, the client closes the connection. Defaults to 60 seconds, which is less than the 75 seconds after which nginx
    /// closes an idle connection by default.
    public var idleTimeout: Duration

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
