// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("A task that sends a body and continues after the response", .hangLimit)
struct LateSenderTests {
    enum Source: CaseIterable {
        case data, file, stream, chunks
    }

    private static let byteCount = 100_000
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func request(_ source: Source, _ method: HTTPRequest.Method = .post) throws -> Request {
        let data = Data(repeating: 1, count: Self.byteCount)
        let stream = AsyncStream<Data> { continuation in
            continuation.yield(data)
            continuation.finish()
        }
        try data.write(to: self.folder.file("file"))
        let body: RequestBody =
            switch source {
            case .data: .data(data)
            case .file: .file(self.folder.file("file"))
            case .stream: .stream(stream, length: Int64(data.count))
            case .chunks: .stream(stream)
            }
        var request = Request(method, "http://test/").body(body)
        request.options.expectsContinue = false
        return request
    }

    private func transport(
        _ server: ScriptedServer,
        full: Outbox? = nil,
        clock: any TransportClock = SystemClock()
    ) -> HTTPTransport {
        let connector = LateConnector(MemoryConnector(server, clock: clock), full: full)
        return HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock)
    }

    private func reply(
        of transport: HTTPTransport,
        to request: Request,
        clock: any TransportClock = SystemClock()
    ) async throws -> HTTPReply {
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        return try await transport.respond(to: call)
    }

    @Test(arguments: Source.allCases, [.ok, .notFound] as [HTTPResponse.Status])
    func `the connection serves the next call`(_ source: Source, status: HTTPResponse.Status) async throws {
        let transport = self.transport(ScriptedServer { .response(status, body: "\($0.body.count)") })
        for number in 0..<3 {
            let reply = try await self.reply(of: transport, to: self.request(source))
            #expect(try await reply.body.text() == "\(Self.byteCount)")
            #expect(reply.response.status == status)
            #expect(reply.response.isConnectionReused == (number > 0))
        }
        #expect(transport.connectionCounts.idle == 1)
    }

    @Test(arguments: Source.allCases)
    func `the connection serves the next call, although the response was discarded`(_ source: Source) async throws {
        let clock = ManualClock()  // it never advances, so the sender may be as late as it likes
        let server = ScriptedServer { .response(.unauthorized, body: "\($0.body.count)") }
        let transport = self.transport(server, clock: clock)
        for number in 0..<3 {
            let reply = try await self.reply(of: transport, to: self.request(source), clock: clock)
            reply.body.discard()
            #expect(reply.response.isConnectionReused == (number > 0))
            try await eventually("the connection is idle") { transport.connectionCounts.lent == 0 }
            #expect(transport.connectionCounts.idle == 1)
        }
    }

    @Test(arguments: [.data, .file, .stream] as [Source])
    func `a discarded response does not wait for a server that never accepts the end`(_ source: Source) async throws {
        let clock = ManualClock()
        let server = ScriptedServer { _ in .response(body: "early") }
        let transport = self.transport(server, full: Outbox(limit: 0, clock: clock), clock: clock)
        let reply = try await self.reply(of: transport, to: self.request(source), clock: clock)
        reply.body.discard()
        try await eventually("the connection is closed") {
            clock.advance(by: .milliseconds(250))
            return transport.connectionCounts.lent == 0
        }
        #expect(transport.connectionCounts.idle == 0)
    }

    @Test func `a server that answers and does not accept the end is waited for no longer than the idle timeout`()
        async throws
    {
        let clock = ManualClock()
        let server = ScriptedServer { _ in .response(body: "early") }
        let connector = LateConnector(MemoryConnector(server, clock: clock), full: Outbox(limit: 0, clock: clock))
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock)
        var timeouts = Timeouts.none
        timeouts.idle = .seconds(10)
        let request = try self.request(.data)
        let call = HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: clock)
        let reply = try await transport.respond(to: call)
        let ended = Flag()
        let reading = Task {
            defer { ended.raise() }
            return try await reply.body.text()
        }
        while !ended.isRaised {
            clock.advance(by: .seconds(10))
            await Task.yield()
        }
        #expect(try await reading.value == "early")
        #expect(transport.connectionCounts.idle == 0)
        #expect(transport.connectionCounts.lent == 0)
    }

    @Test(arguments: [.data, .file] as [Source])
    func `a refusal is read to its end, although the server accepts no more`(_ source: Source) async throws {
        let clock = ManualClock()
        let refusal = "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nlat"
        let mayEnd = Suspension<Void>()
        let base = MemoryConnector(clock: clock) { connection in
            _ = try await connection.readRequest()
            try await connection.write(refusal)
            await mayEnd.wait(onCancel: ())
            try await connection.write("er")
            await connection.waitForEnd()
        }
        let connector = LateConnector(base, full: Outbox(limit: 0, clock: clock))
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock)
        var timeouts = Timeouts.none
        timeouts.idle = .seconds(10)
        let request = try self.request(source)
        let call = HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: clock)
        let reply = try await transport.respond(to: call)
        while !connector.hasGivenUp.isRaised {
            clock.advance(by: .seconds(10))  // no task reads the response
            await Task.yield()
        }
        for _ in 0..<100 { await Task.yield() }  // so that an upload that fails has failed
        mayEnd.resume(with: ())
        let (hasText, hasEnded) = (Flag(), Flag())
        let reading = Task {
            defer {
                hasText.raise()
                hasEnded.raise()
            }
            var (reader, text) = (reply.body.makeReader(), "")
            while let piece = try await reader.next() {
                text += String(buffer: piece)
                if text == "later" { hasText.raise() }
            }
            return text
        }
        await hasText.wait()
        while !hasEnded.isRaised {
            clock.advance(by: .seconds(10))  // the connection never gets room for more
            await Task.yield()
        }
        #expect(try await reading.value == "later")
    }

    @Test func `a server may switch protocols after the whole body`() async throws {
        let switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n"
        let transport = self.transport(ScriptedServer { _ in .raw(switched, ending: .stall) })
        let request = try self.request(.data).header("Connection", "upgrade").header("Upgrade", "other")
        let reply = try await self.reply(of: transport, to: request)
        #expect(reply.response.statusCode == 101)
        let upgrade = try #require(reply.upgrade)
        upgrade.connection.close()
    }
}

/// A connector whose connections let a task that has sent the end of a body continue after the server's answer.
private final class LateConnector: Connector {
    /// Raised each time that a wait for room has failed.
    let hasGivenUp = Flag()
    private let base: MemoryConnector
    private let full: Outbox?

    /// Creates a connector.
    ///
    /// - Parameters:
    ///   - base: Makes the connections.
    ///   - full: A full outbox, for whose room the connections wait forever. Defaults to `nil`.
    init(_ base: MemoryConnector, full: Outbox? = nil) {
        self.base = base
        self.full = full
    }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let connection = try await self.base.connect(to: endpoint, deadline: deadline)
        return LateConnection(connection, full: self.full, hasGivenUp: self.hasGivenUp)
    }
}

private final class LateConnection: ForwardingConnection {
    let base: any Connection
    private let full: Outbox?
    private let hasGivenUp: Flag
    private let hasHead = Flag()
    private let hasRead = Flag()
    private let wasAskedWhetherReady = Flag()
    /// The number of reads before the end of the body was queued; `nil` before that.
    private let readCount = Mutex<Int?>(nil)

    init(_ base: any Connection, full: Outbox?, hasGivenUp: Flag) {
        self.base = base
        self.full = full
        self.hasGivenUp = hasGivenUp
    }

    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        defer { self.hasRead.raise() }
        return try await self.base.read(atLeast: byteCount, deadline: deadline)
    }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        let text = String(buffer: bytes)
        let isEnd = text == "0\r\n\r\n" || !text.hasSuffix("\r\n")  // heads and chunks end with CRLF
        self.readCount.withLock { $0 = isEnd ? self.hasRead.count : nil }
        _ = try self.base.enqueue(bytes)
        defer { self.hasHead.raise() }
        return !self.hasHead.isRaised  // the exchange itself waits for the first head
    }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        do throws(ConnectionError) {
            try await self.full?.waitForRoom(deadline: deadline)
        } catch {
            self.hasGivenUp.raise()
            throw error
        }
        try await self.base.waitForRoom(deadline: deadline)
        guard let readCount = self.readCount.withLock(\.self) else { return }
        let askedCount = self.wasAskedWhetherReady.count
        await self.hasRead.wait(for: readCount + 1)
        // The exchange has the response. Now it asks whether the connection may serve the next exchange, unless the
        // response switches protocols.
        for _ in 0..<2_000 where self.wasAskedWhetherReady.count == askedCount { await Task.yield() }
        if Task.isCancelled { throw .cancelled }
    }

    var isReadyForExchange: Bool {
        defer { self.wasAskedWhetherReady.raise() }
        return self.base.isReadyForExchange
    }
}
