// SPDX-License-Identifier: Apache-2.0

/// Settings for detecting a server that has become silent on a connection that uses HTTP/2.
///
/// If no byte arrives from the server for `interval` while calls are under way, the client sends a PING frame, which
/// the server must answer (RFC 9113 §6.7). If no byte arrives within `timeout` after the PING, the client closes the
/// connection. The calls on it then fail with `ClientError.connectionLost`, or with `ClientError.truncated` if their
/// responses have begun.
public struct HTTP2KeepAlive: Hashable, Sendable {
    /// The shortest time that ``interval`` and ``timeout`` can have.
    private static let minimum = Duration.seconds(1)

    /// The time the server may be silent before the client sends a PING.
    ///
    /// Defaults to 30 seconds.
    package let interval: Duration
    /// The time to wait for any byte from the server after the PING.
    ///
    /// Defaults to 15 seconds, as in Go.
    package let timeout: Duration
    /// Whether the client also pings a connection on which no call is under way.
    ///
    /// Defaults to `false`.
    package let pingsIdleConnections: Bool

    /// Creates keep-alive settings.
    ///
    /// A time of less than 1 second counts as 1 second, because servers close connections on which too many PINGs
    /// arrive. For the same reason, PINGs are at least `timeout` apart, even if `interval` is shorter.
    ///
    /// - Parameters:
    ///   - interval: The time the server may be silent before the client sends a PING; at least 1 second. Defaults to
    ///     30 seconds, so that the client detects a connection that was cut without notice within 45 seconds. gRPC can
    ///     be configured to ping after 20 seconds, and Go and OkHttp do not ping by default.
    ///   - timeout: The time to wait for any byte from the server after the PING; at least 1 second. Defaults to 15
    ///     seconds, as in Go.
    ///   - pingsIdleConnections: Whether the client also pings a connection on which no call is under way. Defaults to
    ///     `false`, which lets idle radios sleep. With `true`, the next call need not find out that its connection was
    ///     cut. The client closes idle connections after `PoolConfiguration.idleTimeout` in any case.
    public init(
        interval: Duration = .seconds(30),
        timeout: Duration = .seconds(15),
        pingsIdleConnections: Bool = false
    ) {
        self.interval = max(interval, Self.minimum)
        self.timeout = max(timeout, Self.minimum)
        self.pingsIdleConnections = pingsIdleConnections
    }
}
