// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections

/// A connection that forwards to another one everything that the test does not change.
protocol ForwardingConnection: Connection {
    var base: any Connection { get }
}

extension ForwardingConnection {
    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        try await self.base.read(atLeast: byteCount, deadline: deadline)
    }

    func limitReads(to deadline: CallDeadline?) { self.base.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? { self.base.readAvailable() }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool { try self.base.enqueue(bytes) }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.base.waitForRoom(deadline: deadline)
    }

    var isReadyForExchange: Bool { self.base.isReadyForExchange }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.base.onEnd(action) }

    func close() { self.base.close() }
}
