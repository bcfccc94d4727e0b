// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernTesting
import TestSupport

/// A connector whose connections a test can break, so that only the next write fails.
///
/// The connector keeps weak references to its connections.
final class DeadOnWriteConnector: Connector {
    private struct Weak: Sendable {
        weak var connection: DeadOnWriteConnection?
    }

    let base: MemoryConnector
    private let connections = Mutex<[Weak]>([])
    private let brokenCount: Int

    /// Creates a connector.
    ///
    /// - Parameters:
    ///   - base: Makes the connections.
    ///   - brokenCount: The number of first connections whose every write fails. Defaults to 0.
    init(_ base: MemoryConnector, brokenCount: Int = 0) {
        self.base = base
        self.brokenCount = brokenCount
    }

    /// The number of connections that are still in memory.
    var livingCount: Int { self.connections.withLock { $0.count { $0.connection != nil } } }

    func breakConnections() {
        for connection in self.connections.withLock({ $0.compactMap(\.connection) }) { connection.isBroken.raise() }
    }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let connection = DeadOnWriteConnection(try await self.base.connect(to: endpoint, deadline: deadline))
        let count = self.connections.withLock { connections in
            connections.append(Weak(connection: connection))
            return connections.count
        }
        if count <= self.brokenCount { connection.isBroken.raise() }
        return connection
    }
}

final class DeadOnWriteConnection: ForwardingConnection {
    let isBroken = Flag()
    let base: any Connection

    init(_ base: any Connection) { self.base = base }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        guard !self.isBroken.isRaised else { throw .closed }
        return try self.base.enqueue(bytes)
    }
}
