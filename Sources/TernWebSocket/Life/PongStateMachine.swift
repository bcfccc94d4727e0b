// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Decides which of the server's pings are answered, and when.
///
/// While the send buffer has no room, only the latest ping is kept, and answered as soon as there is room. Earlier pings
/// need no answer (RFC 6455 §5.5.3). So a server that sends many pings and reads nothing cannot fill the memory.
struct PongStateMachine: Sendable {
    private enum State: Sendable {
        /// Pings are answered at once. The state ends when a pong has filled the send buffer.
        case ready
        /// A task waits for room in the send buffer; `latest` is the payload of the last ping since then. The state ends
        /// when there is room.
        case full(latest: ByteBuffer?)
    }

    private var state = State.ready

    /// Handles a ping.
    ///
    /// - Returns: The payload of the pong to queue now, which the caller reports to ``queued(hasRoom:)``; `nil` if the
    ///   ping has to wait.
    mutating func pinged(_ payload: ByteBuffer) -> ByteBuffer? {
        guard case .full = self.state else { return payload }
        self.state = .full(latest: payload)
        return nil
    }

    /// Records that the pong of a ping was queued.
    ///
    /// - Returns: Whether the caller must wait for room in the send buffer, and then call ``roomCame()``.
    mutating func queued(hasRoom: Bool) -> Bool {
        guard !hasRoom, case .ready = self.state else { return false }
        self.state = .full(latest: nil)
        return true
    }

    /// Records that the send buffer has room again.
    ///
    /// - Returns: The payload of the pong to queue; `nil` if no ping has arrived since.
    mutating func roomCame() -> ByteBuffer? {
        guard case .full(let latest) = self.state else { return nil }
        self.state = .ready
        return latest
    }
}
