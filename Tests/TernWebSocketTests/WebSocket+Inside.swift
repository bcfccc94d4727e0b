// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import TernConnections
@testable import TernWebSocket

/// A WebSocket without a client, with its server.
typealias Scene = WebSocketScene

extension WebSocket {
    /// The object that runs the WebSocket, so that a test can check that it is deallocated.
    var driverForTests: AnyObject { self.driver }

    /// The time when the last bytes arrived.
    ///
    /// The driver records this time only with keep-alive.
    var lastReceivedForTests: ClockInstant { self.driver.locked.withLock { $0.machine.keepAlive.lastReceived } }

    /// Whether the reader is reading; `false` while it waits for room in the queue.
    var isReadingForTests: Bool { self.driver.locked.withLock { $0.machine.keepAlive.isReading } }
}
