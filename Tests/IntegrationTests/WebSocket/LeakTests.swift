// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernConnections
import TernNIO
import TestSupport
import Testing

/// Tests that a WebSocket leaves nothing behind, for each way to end.
///
/// There must be no connection, no object, and no task or timer of the WebSocket, and the server must know about the
/// end.
@Suite("WebSocket: nothing remains", .hangLimit)
struct LeakTests {
    /// The system's clock, wrapped so that a test can see when it is deallocated.
    ///
    /// Every object of a WebSocket keeps a reference to the clock.
    private final class WatchedClock: TransportClock {
        private let base = SystemClock()

        var now: ClockInstant { self.base.now }

        func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
            self.base.schedule(at: instant) { [self] in
                withExtendedLifetime(self) {}
                action()
            }
        }
    }

    /// Opens a WebSocket, uses it, releases it, and checks that nothing remains.
    ///
    /// - Parameters:
    ///   - path: The path that selects the raw server's behaviour.
    ///   - code: The close code that the server must have received; `nil` if it does not read.
    ///   - use: A closure that uses the WebSocket, and has the only reference to it.
    /// - Throws: An error of `use`, or `NeverHappened` if something remains.
    private func check(
        _ path: String,
        tells code: Int?,
        _ use: (RawServer, WebSocket) async throws -> Void
    ) async throws {
        let server = try await RawServer()
        let id = "leak-\(server.port)"
        weak var socket: WebSocket?
        weak var clock: WatchedClock?
        func open() async throws {
            let watched = WatchedClock()
            clock = watched
            let client = Client(configuration: .patient, connector: NIOConnector(), clock: watched)
            let options = WebSocketOptions.patient { $0.keepAlive = WebSocketKeepAlive(timeout: .patient) }
            let request = server.get(path).query("id", id).query("gate", id)
            let opened = try await client.webSocket(for: request, options: options)
            socket = opened
            try await use(server, opened)
        }
        try await open()
        try await eventually("nobody holds the WebSocket") { socket == nil }
        try await server.isLeft()
        try await eventually("nobody holds the clock") { clock == nil }
        guard let code else { return }
        let told = try await server.closeCode(id)
        #expect(told == "\(code)")
    }

    @Test func `after the last reference is dropped`() async throws {
        try await self.check("/ws-hello", tells: 1001) { _, socket in
            let message = try await socket.next()
            #expect(message == .text("hello"))
        }
    }

    @Test func `after it is dropped at once, with messages that nobody took`() async throws {
        try await self.check("/ws-hello", tells: 1001) { _, _ in }
    }

    @Test func `after it is dropped while the reader waits for room`() async throws {
        try await self.check("/ws-flood", tells: nil) { _, socket in
            for _ in 0..<3 { _ = try await socket.next() }
        }
    }

    @Test func `after a loop is left`() async throws {
        try await self.check("/ws-hello", tells: 1001) { _, socket in
            for try await _ in socket { break }
        }
    }

    @Test func `after a loop over parts is left`() async throws {
        try await self.check("/ws-flood", tells: nil) { _, socket in
            for try await _ in socket.fragments { break }
        }
    }

    @Test func `after close, while it is held`() async throws {
        try await self.check("/ws-hello", tells: 1000) { server, socket in
            await socket.close()
            try await server.isLeft()
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `after cancel, while it is held`() async throws {
        try await self.check("/ws-hello", tells: 4000) { server, socket in
            socket.cancel(with: .init(rawValue: 4000))
            try await server.isLeft()
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `after its task is cancelled`() async throws {
        try await self.check("/ws-hello", tells: 1001) { _, socket in
            let received = Signal()
            let task = Task {
                for try await _ in socket { received.report() }
            }
            await received.wait()
            task.cancel()
            let result = await task.result
            #expect { try result.get() } throws: { ($0 as? ClientError)?.isCancellation == true }
        }
    }

    @Test func `after a close is cancelled that a server ignores`() async throws {
        try await self.check("/ws-ignores-close", tells: 1000) { server, socket in
            let task = Task { await socket.close() }
            _ = try await server.closeCode("leak-\(server.port)")
            task.cancel()
            await task.value
            try await server.isLeft()
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `after a send is cancelled that a server does not take`() async throws {
        try await self.check("/ws-never-reads", tells: nil) { server, socket in
            let task = Task {
                while true { try await socket.send(.binary(Data(count: 1 << 20)), compression: .never) }
            }
            try await socket.send(.binary(Data(count: 1 << 20)), compression: .never)
            task.cancel()
            _ = await task.result
        }
    }

    @Test(arguments: ["/ws-half-close", "/ws-rsv1"])
    func `after the server ended it`(_ path: String) async throws {
        try await self.check(path, tells: nil) { server, socket in
            let fault = await fault { () async throws(ClientError) in try await socket.rest() }
            #expect(fault != nil)
            try await server.isLeft()
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `after the server closed it`() async throws {
        try await self.check("/ws-in-one-packet", tells: 4002) { server, socket in
            _ = try await socket.rest()
            try await server.isLeft()
            withExtendedLifetime(socket) {}
        }
    }

    /// The client first answers the server's violation or Close frame, and only then says goodbye for the released
    /// WebSocket.
    @Test(arguments: [("/ws-rsv1", 1002), ("/ws-bad-text", 1007), ("/ws-in-one-packet", 4002)])
    func `after it is dropped as soon as it has ended`(_ path: String, _ code: Int) async throws {
        for _ in 0..<5 {
            try await self.check(path, tells: code) { _, socket in
                _ = await fault { () async throws(ClientError) in try await socket.rest() }
            }
        }
    }

    @Test func `after the server was killed`() async throws {
        let process = try PeerProcess("python3", ["-B", Scripts.path("raw_server.py"), "ports.txt", "1"])
        let report = process.folder.appending(path: "ports.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let ports = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        weak var weakSocket: WebSocket?
        func open() async throws {
            let socket = try await Client(configuration: .patient).webSocket(
                for: Request(.get, "ws://127.0.0.1:\(ports[0])/ws-hello")
            )
            weakSocket = socket
            #expect(try await socket.next() == .text("hello"))
            process.stop()
            let fault = await fault { () async throws(ClientError) in try await socket.next() }
            #expect(fault == .connectionLost(.closed) || fault == .connectionLost(.reset))
        }
        try await open()
        try await eventually("nobody holds the WebSocket") { weakSocket == nil }
        try await eventually("no connection is open") { OpenSockets.count(toPort: ports[0]) == 0 }
    }

    @Test func `after a WebSocket outlives its client`() async throws {
        let server = try await RawServer()
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/ws-echo"))
        #expect(try await socket.echo(.text("hi")) == .text("hi"))
        await socket.close()
        try await server.isLeft()
    }
}
