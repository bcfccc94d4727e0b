// SPDX-License-Identifier: Apache-2.0

/// How a server that has become silent is noticed.
///
/// After `interval` without a byte from the server a ping is sent; if nothing at all has come `timeout` later, the
/// WebSocket ends with `ClientError.timedOut(.pong, …)`.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// How long the server may be silent before it is asked; 20 seconds by default, as in Python's `websockets`.
    package var interval: Duration
    /// How long it may then take to answer; 20 seconds by default.
    package var timeout: Duration

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - interval: How long the server may be silent before it is asked. Defaults to 20 seconds, as in Python's `websockets`.
    ///   - timeout: How long it may then take to answer. Defaults to 20 seconds.
    public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
        self.interval = interval
        self.timeout = timeout
    }
}
