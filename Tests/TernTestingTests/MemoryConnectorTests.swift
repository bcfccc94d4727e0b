// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("MemoryConnector", .hangLimit)
struct MemoryConnectorTests {
    private static let target = ConnectionEndpoint.host("test", port: 443)

    private func connect(_ connector: MemoryConnector, deadline: CallDeadline? = nil) async throws -> any Connection {
        try await connector.connect(to: Self.target, deadline: deadline)
    }

    private func readAll(_ connection: any Connection) async throws -> String {
        var text = ""
        while let bytes = try await connection.read(atLeast: 1, deadline: nil) { text += String(buffer: bytes) }
        return text
    }

    @Test(arguments: [64 << 10, 1, 0, -2, Int.min])
    func `takes bytes both ways`(capacity: Int) async throws {
        let connector = MemoryConnector(capacity: capacity) { connection in
            let heard = String(decoding: try await connection.readBytes(5), as: UTF8.self)
            try await connection.write("\(heard) back")
        }
        let connection = try await self.connect(connector)
        try await connection.write(ByteBuffer(string: "hello"), deadline: nil)
        #expect(try await self.readAll(connection) == "hello back")
    }

    @Test func `counts what is asked for and what is open`() async throws {
        let connector = MemoryConnector { await $0.waitForEnd() }
        let first = try await self.connect(connector)
        var second: (any Connection)? = try await self.connect(connector)
        #expect(connector.endpoints == [Self.target, Self.target])
        #expect((connector.attemptCount, connector.openCount) == (2, 2))
        first.close()
        first.close()
        #expect(connector.openCount == 1)
        #expect(second != nil)
        second = nil
        #expect(connector.openCount == 0)
        try await connector.waitForServers()
    }

    @Test func `follows its plans in order and then its default`() async throws {
        let connector = MemoryConnector(plan: .refuse(.reset)) { await $0.waitForEnd() }
        connector.plan(.refuse(.notConnected(.refused)), .accept())
        await #expect(throws: ConnectionError.notConnected(.refused)) { try await self.connect(connector) }
        _ = try await self.connect(connector)
        await #expect(throws: ConnectionError.reset) { try await self.connect(connector) }
        #expect(connector.attemptCount == 3)
    }

    @Test func `an attempt that hangs ends with its deadline or its task`() async throws {
        let clock = ManualClock()
        let connector = MemoryConnector(plan: .hang, clock: clock) { _ in }
        let deadline = CallDeadline(.connect, limit: .seconds(3), from: clock.now)
        let timed = Task { _ = try await self.connect(connector, deadline: deadline) }
        try await clock.waitForScheduled(in: .seconds(3))
        clock.advance(by: .seconds(3))
        await #expect(throws: ConnectionError.timedOut(deadline)) { try await timed.value }

        let cancelled = Task { _ = try await self.connect(connector) }
        try await connector.waitForAttempts(2)
        cancelled.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await cancelled.value }
        #expect(clock.scheduledCount == 0)
    }

    @Test func `a cancelled task gets no connection`() async {
        let connector = MemoryConnector { _ in }
        let connecting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await self.connect(connector)
        }
        await #expect(throws: ConnectionError.cancelled) { try await connecting.value }
        #expect(connector.openCount == 0)
    }

    @Test func `what was sent before an end arrives before it`() async throws {
        for end in [ServerConnection.close, ServerConnection.finish] {
            let connector = MemoryConnector { connection in
                try await connection.write("last words")
                end(connection)()
                await connection.waitForEnd()
            }
            #expect(try await self.readAll(self.connect(connector)) == "last words")
        }
    }

    @Test func `a finished side can still be closed`() async throws {
        let mayClose = Suspension<Void>()
        let connector = MemoryConnector { connection in
            connection.finish()
            await mayClose.wait(onCancel: ())
        }
        let connection = try await self.connect(connector)
        #expect(try await self.readAll(connection) == "")
        try await connection.write(ByteBuffer(string: "fine"), deadline: nil)
        mayClose.resume(with: ())
        try await connector.waitForServers()
        await #expect(throws: ConnectionError.closed) {
            try await connection.write(ByteBuffer(string: "too late"), deadline: nil)
        }
    }

    @Test func `a reader that stops stops the writer`() async throws {
        let written = Flag()
        let connector = MemoryConnector(capacity: 8) { connection in
            while true {
                try await connection.write("12345678")
                written.raise()
            }
        }
        let connection = try await self.connect(connector)
        var byteCount = 0
        while byteCount < 800 {
            #expect(written.count <= byteCount / 8 + 2)
            byteCount += try await connection.read(atLeast: 1, deadline: nil)?.readableBytes ?? 800
            // The loop waits until the writer has written as much as was read. The writer therefore has enough time to
            // write too much.
            await written.wait(for: byteCount / 8)
        }
        connection.close()
        // The writer cannot write more now. The final count includes all bytes that it wrote before the other side read
        // them.
        try await connector.waitForServers()
        #expect(written.count <= byteCount / 8 + 2)
    }

    @Test func `the end of a connection is told`() async throws {
        let connector = MemoryConnector { try await $0.write("bye") }
        let connection = try await self.connect(connector)
        let ended = Suspension<Void>()
        connection.onEnd { ended.resume(with: ()) }
        await ended.wait(onCancel: ())
        #expect(!connection.isReadyForExchange)
        #expect(connection.readAvailable() == ByteBuffer(string: "bye"))
        #expect(connection.readAvailable() == nil)
    }

    @Test func `releasing the connector cancels its servers`() async throws {
        let cancelled = Suspension<Bool>()
        var connector: MemoryConnector? = MemoryConnector { (_: ServerConnection) in
            _ = await Suspension<Void>().wait(onCancel: ())
            cancelled.resume(with: Task.isCancelled)
        }
        let connection = try await self.connect(#require(connector))
        connector = nil
        #expect(await cancelled.wait(onCancel: false))
        connection.close()
    }
}
