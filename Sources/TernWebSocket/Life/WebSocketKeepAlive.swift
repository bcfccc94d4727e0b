// SPDX-License-Identifier: Apache-2.0

/// Settings for detecting a server that has become silent.
///
/// If no byte arrives from the server for `interval`, the client sends a ping. If no byte arrives within `timeout`
/// after the ping, the WebSocket ends with `ClientError.timedOut(.pong, …)`.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// The time the server may be silent before the client sends a ping.
    ///
    /// Defaults to 20 seconds, as in Python's `websockets`.
    package var interval: Duration
    /// The time to wait for any byte from the server after the ping.
    ///
    /// Defaults to 20 seconds.
    package var timeout: Duration

    /// Creates keep-alive settings.
    ///
    /// - Parameters:
    ///   - interval: The time the server may be silent before the client sends a ping. Defaults to 20 seconds, as in
    ///     Python's `websockets`.
    ///   - timeout: The time to wait for any byte from the server after the ping. Defaults to 20 seconds.
    public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
        self.interval = interval
        self.timeout = timeout
    }
}
