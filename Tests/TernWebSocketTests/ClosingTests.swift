// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Closing and releasing", .hangLimit)
struct ClosingTests {
    /// Returns a server that records the client's frames and answers nothing.
    private static func silent(_ journal: Journal<ServerWebSocket.Frame>) -> Scene.Server {
        { server in while let frame = try await server.receive() { journal.note(frame) } }
    }

    @Test func `close ends iteration at once, though the server never answers`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.silent(journal))
        let socket = try await scene.open()
        let loop = Task { await socket.collect() }
        let closing = Task { await socket.close(code: .goingAway, reason: "bye") }
        let (messages, error) = await loop.value
        #expect(messages.isEmpty && error == nil)
        let frames = await journal.wait(for: 1)
        #expect(frames.map(\.closeCode) == [.goingAway])
        #expect(frames.first.map { String(decoding: $0.payload.dropFirst(2), as: UTF8.self) } == "bye")
        try await scene.clock.waitForScheduled(in: .seconds(5))
        #expect(scene.connector.openCount == 1)
        scene.clock.advance(by: .seconds(5))
        await closing.value
        #expect(socket.outcome?.cause == .closeTimedOut)
        try await scene.connector.waitForOpen(0)
        try await scene.connector.waitForServers()
    }

    @Test func `close waits for the server's answer, and for the end of the connection`() async throws {
        let scene = Scene { server in
            while let frame = try await server.receive(), frame.opcode != .close {}
            try await server.send(.text("late"))
            try await server.sendClose(.normalClosure)
        }
        let socket = try await scene.open()
        await socket.close()
        #expect(socket.outcome?.cause == .closed)
        #expect(socket.closeCode == .normalClosure)
        #expect(await socket.collect().messages.isEmpty, "what comes after a close is not given")
        try await scene.connector.waitForOpen(0)
    }

    @Test func `cancel returns at once and ends iteration`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.silent(journal))
        let socket = try await scene.open()
        let loop = Task { await socket.collect().error }
        socket.cancel(with: .policyViolation, reason: "x")
        #expect(await loop.value == nil)
        #expect(await journal.wait(for: 1).map(\.closeCode) == [.policyViolation])
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .seconds(5))
        try await scene.connector.waitForOpen(0)
    }

    @Test func `a task that is cancelled while it closes closes the connection at once`() async throws {
        let scene = Scene(server: Self.silent(Journal()))
        let socket = try await scene.open()
        let closing = Task { await socket.close() }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        closing.cancel()
        await closing.value
        try await scene.connector.waitForOpen(0)
    }

    @Test func `closing twice, or what was closed, does nothing`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene { server in
            while let frame = try await server.receive() {
                journal.note(frame)
                if frame.opcode == .close { return try await server.sendClose(.normalClosure) }
            }
        }
        let socket = try await scene.open()
        await socket.close()
        await socket.close(code: .goingAway)
        socket.cancel()
        try await scene.connector.waitForServers()
        #expect(journal.all.count == 1)
    }

    @Test func `what may not be sent is replaced, and a long reason cut at a character`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.silent(journal))
        let socket = try await scene.open()
        socket.cancel(with: .abnormalClosure, reason: String(repeating: "ä", count: 100))
        let frame = await journal.wait(for: 1).first
        #expect(frame?.closeCode == .normalClosure)
        #expect(frame?.payload.count == 2 + 122)
    }

    @Test func `releasing the last reference says good-bye, closes the connection and leaves nothing`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(options: WebSocketOptions(keepAlive: WebSocketKeepAlive()), server: Self.silent(journal))
        weak var weakSocket: WebSocket?
        weak var weakDriver: AnyObject?
        do {
            let socket = try await scene.open()
            weakSocket = socket
            weakDriver = socket.driverForTests
            try await socket.send("x")
        }
        #expect(weakSocket == nil)
        try await scene.connector.waitForOpen(0)
        try await scene.connector.waitForServers()
        #expect(journal.all.map(\.opcode) == [.text, .close])
        #expect(journal.all.last?.closeCode == .goingAway)
        let driver = WeakBox(weakDriver)
        try await eventually("the task that reads has ended") { driver.value == nil }
        try await eventually("no timer is left") { scene.clock.scheduledCount == 0 }
    }

    @Test func `an iterator holds the socket, and leaving its loop releases it`() async throws {
        let scene = Scene { server in
            try await server.send(.text("one"))
            await server.connection.waitForEnd()
        }
        for try await message in try await scene.open() {
            #expect(message == .text("one"))
            #expect(scene.connector.openCount == 1)
            break
        }
        try await scene.connector.waitForOpen(0)
        try await scene.connector.waitForServers()
    }

    @Test func `a cancelled task that held the socket leaves nothing`() async throws {
        let scene = Scene(server: Self.silent(Journal()))
        let task = Task {
            let socket = try await scene.open()
            for try await _ in socket {}
        }
        try await scene.connector.waitForOpen(1)
        task.cancel()
        await #expect(throws: ClientError.self) { try await task.value }
        try await scene.connector.waitForOpen(0)
        try await scene.connector.waitForServers()
    }

    @Test func `when the server dies nothing is left`() async throws {
        let scene = Scene { server in server.connection.reset() }
        weak var weakDriver: AnyObject?
        do {
            let socket = try await scene.open()
            weakDriver = socket.driverForTests
            _ = await socket.collect()
            await #expect(throws: ClientError.self) { try await socket.ping() }
        }
        try await scene.connector.waitForOpen(0)
        let driver = WeakBox(weakDriver)
        try await eventually("the task that reads has ended") { driver.value == nil }
        try await eventually("no timer is left") { scene.clock.scheduledCount == 0 }
    }

    @Test func `after the end nothing can be sent`() async throws {
        let scene = Scene { server in
            try await server.sendClose(.tryAgainLater)
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        _ = await socket.collect()
        await #expect(throws: ClientError.self) { try await socket.send("x") }
        do throws(ClientError) {
            try await socket.send("x")
        } catch {
            guard case .webSocketClosed(code: 1013, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}

/// A weak reference to an object, which a closure can check.
struct WeakBox: @unchecked Sendable {  // read only; the runtime's weak references may be read from any thread
    weak var value: AnyObject?

    init(_ value: AnyObject?) { self.value = value }
}
