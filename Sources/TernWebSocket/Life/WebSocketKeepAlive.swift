// SPDX-License-Identifier: Apache-2.0

/// Settings for detecting a server that has become silent.
///
/// If no byte arrives from the server for `interval`, the client sends a ping. If no byte arrives within `timeout` after the ping,
/// the WebSocket ends with `ClientError.timedOut(.pong, …)`. While the client reads nothing, because
/// ``WebSocketOptions/maximumQueuedByteCount`` bytes wait, it does neither.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// While the reader pauses, the client looks again after each interval, so an interval of no time would keep a thread busy.
    private static let minimumInterval = Duration.milliseconds(10)

    /// The time for which the server may be silent.
    ///
    /// Beyond it, the client sends a ping.
    package var interval: Duration
    /// The time in which a byte must arrive after a ping.
    ///
    /// Beyond it, the WebSocket ends with `ClientError.timedOut(.pong)`.
    package var timeout: Duration

    /// Creates keep-alive settings from the time before a ping, at least 10 milliseconds, and the time to wait for a byte after it.
    public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
        self.interval = max(interval, Self.minimumInterval)
        self.timeout = timeout
    }
}
