// SPDX-License-Identifier: Apache-2.0

/// Settings for detecting a server that has become silent on a connection that uses HTTP/2.
///
/// While calls are under way, the client watches the connection. If no byte arrives for `interval`, it sends a PING frame, which
/// the server must answer (RFC 9113 §6.7). If no byte arrives within `timeout` after it, the client closes the connection. A call
/// usually fails then: with `ClientError.truncated` if its response has begun, otherwise with `ClientError.connectionLost`.
public struct HTTP2KeepAlive: Hashable, Sendable {
    private static let minimum = Duration.seconds(1)

    package let interval: Duration
    package let timeout: Duration
    package let pingsIdleConnections: Bool

    /// Creates keep-alive settings.
    ///
    /// A time below 1 second counts as 1 second. These PINGs are at least `timeout` apart even if `interval` is shorter, because
    /// some servers close connections on which too many PINGs arrive.
    ///
    /// - Parameters:
    ///   - interval: The time the server may be silent. Beyond it, the client sends a PING. With both defaults, a call learns
    ///     within about 45 seconds that its connection was cut without notice.
    ///   - timeout: The time to wait for any byte from the server after the PING. Beyond it, the client closes the connection.
    ///   - pingsIdleConnections: Whether the client also pings a connection on which no call is under way. Defaults to `false`,
    ///     which lets idle radios sleep; `true` usually spares the next call from finding out that its connection was cut. The
    ///     client closes idle connections after `PoolConfiguration.idleTimeout` in any case.
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
