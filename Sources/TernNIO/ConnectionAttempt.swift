// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// The channels that were opened to make one connection, so that nothing goes on when the caller gives up.
///
/// There may be several, for Happy Eyeballs (RFC 8305) tries addresses in parallel; and a channel that is connecting, or
/// negotiates TLS with a silent server, would otherwise live as long as the server lets it.
final class ConnectionAttempt: Sendable {
    private enum State {
        /// The caller waits. Left when it gives up.
        case active([any Channel])
        /// The caller has given up, or the attempt has failed. Never left.
        case over
    }

    private let state = Mutex(State.active([]))

    /// A channel was opened, and is not connected yet; it is closed at once if nobody waits any more.
    func opened(_ channel: any Channel) {
        let isOver = self.state.withLock { state in
            guard case .active(let channels) = state else { return true }
            state = .active(channels + [channel])
            return false
        }
        if isOver { channel.close(promise: nil) }
    }

    /// Closes all channels, those that are opened later too.
    func giveUp() {
        let state = self.state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .active(let channels) = state else { return }
        for channel in channels { channel.close(promise: nil) }
    }
}
