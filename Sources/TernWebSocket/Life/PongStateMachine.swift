// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Decides which of the server's pings are answered: while the send buffer is full, only the latest is kept (RFC 6455 §5.5.3).
struct PongStateMachine: Sendable {
    private enum State: Sendable {
        /// Pings are answered at once. Ends when the send buffer has no room after a pong.
        case ready
        /// A task waits for room, to answer the latest ping that has arrived meanwhile. Ends when this wait ends.
        case full(latest: ByteBuffer?)
    }

    private var state = State.ready

    /// Returns the payload of the pong to queue and report to ``queued(hasRoom:)``; `nil` if the ping has to wait.
    mutating func pinged(_ payload: ByteBuffer) -> ByteBuffer? {
        guard case .full = self.state else { return payload }
        self.state = .full(latest: payload)
        return nil
    }

    /// Returns whether the caller must wait for room in the send buffer, and then call ``roomCame()``.
    mutating func queued(hasRoom: Bool) -> Bool {
        guard !hasRoom, case .ready = self.state else { return false }
        self.state = .full(latest: nil)
        return true
    }

    /// Returns the payload of the pong to queue; `nil` if no ping has arrived since the send buffer became full.
    mutating func roomCame() -> ByteBuffer? {
        guard case .full(let latest) = self.state else { return nil }
        self.state = .ready
        return latest
    }
}
