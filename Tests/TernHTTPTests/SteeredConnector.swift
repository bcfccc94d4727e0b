// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernTesting

/// A connector whose connections negotiate a protocol that the test chooses, and close when the test says so.
final class SteeredConnector: Connector {
    let base: MemoryConnector
    /// Controls when connections close.
    ///
    /// By default, a connection closes at once.
    let closings = Closings()
    private let applicationProtocol: String?

    init(_ base: MemoryConnector, applicationProtocol: String? = nil) {
        self.base = base
        self.applicationProtocol = applicationProtocol
    }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let connection = try await self.base.connect(to: endpoint, deadline: deadline)
        return SteeredConnection(connection, self.closings, self.applicationProtocol)
    }
}

/// The connections that are being closed.
final class Closings: Sendable {
    private struct State {
        var isHeld = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// The number of connections that are being closed.
    var count: Int { self.state.withLock { $0.actions.count } }

    /// From now on, connections close only at ``finish()``.
    func hold() { self.state.withLock { $0.isHeld = true } }

    /// Closes all connections that are being closed.
    func finish() {
        let actions = self.state.withLock { state in
            defer { state = State() }
            return state.actions
        }
        for action in actions { action() }
    }

    func add(_ action: @escaping @Sendable () -> Void) {
        let isHeld = self.state.withLock { state in
            if state.isHeld { state.actions.append(action) }
            return state.isHeld
        }
        if !isHeld { action() }
    }
}

final class SteeredConnection: Connection {
    private let base: any Connection
    private let closings: Closings
    private let applicationProtocol: String?

    init(_ base: any Connection, _ closings: Closings, _ applicationProtocol: String?) {
        self.base = base
        self.closings = closings
        self.applicationProtocol = applicationProtocol
    }

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

    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        let facts = try await self.base
            .startTLS(configuration, to: host, port: port, asking: decider, deadline: deadline)
        return TLSFacts(version: facts.version, applicationProtocol: self.applicationProtocol, trust: facts.trust)
    }

    func close() { self.base.close() }

    func close(then action: @escaping @Sendable () -> Void) {
        self.base.close()
        self.closings.add(action)
    }
}
