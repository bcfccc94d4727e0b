// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import TernConnections
@testable import TernWebSocket

/// A WebSocket without a client, and its server.
typealias Scene = WebSocketScene

extension WebSocket {
    /// The objects behind the face, to test whether they outlive it.
    var driverForTests: AnyObject { self.driver }

    /// When something came last, where that is noted: with keep-alive.
    var lastReceivedForTests: ClockInstant { self.driver.locked.withLock { $0.lastReceived } }

    /// Whether the reader does not wait for room.
    var isReadingForTests: Bool { self.driver.locked.withLock { $0.isReading } }
}
