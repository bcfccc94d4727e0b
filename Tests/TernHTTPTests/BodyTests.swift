// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP
import TernHTTP1
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Response bodies", .hangLimit)
struct BodyTests {
    @Test func `a body that came with its head is there at once`() async throws {
        let scene = Scene { _ in .response(body: "hello") }
        let reply = try await scene.reply()
        #expect(reply.body.whole == ByteBuffer(string: "hello"))
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a long body is gathered as asked`() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let scene = Scene { _ in .response(bytes: bytes) }
        var reader = try await scene.reply().body.makeReader()
        var received: [UInt8] = []
        while let piece = try await reader.next(atLeast: 1 << 20) { received += Array(buffer: piece) }
        expectEqual(received, bytes)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a reader that stops stops the server`() async throws {
        let (begun, sent) = (Flag(), Flag())
        let connector = MemoryConnector(capacity: 1024) { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while true {
                begun.raise()
                try await connection.write(ByteBuffer(repeating: 1, count: 1000))
                sent.raise()
            }
        }
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
        let request = Request(.get, "http://test/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
        var count = 0
        do {
            let reply = try await transport.respond(to: call)
            await sent.wait()
            var reader = reply.body.makeReader()
            while count < 500_000, let piece = try await reader.next() {
                count += piece.readableBytes
                #expect(sent.count <= count / 1000 + 5)
                // The loop reads more only after the server has begun its next piece. The server therefore has enough
                // time to send too much.
                await begun.wait(for: count / 1000 + 1)
            }
        }
        // The server cannot send more now. The final count includes all pieces that it sent before the client read
        // them.
        try await connector.waitForServers()
        #expect(sent.count <= count / 1000 + 5)
    }

    @Test func `releasing a body that has arrived keeps the connection`() async throws {
        let scene = Scene { _ in .chunked(["all", "is", "here"]) }
        do { _ = try await scene.reply() }
        scene.expectNoLeak(idle: 1)
        #expect(try await scene.answer() == Answer(text: "allishere", isReused: true))
    }

    @Test func `releasing a body that is still to come closes the connection`() async throws {
        let scene = Scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall) }
        do { _ = try await scene.reply() }
        scene.expectNoLeak(idle: 0)
        try await scene.connector.waitForServers()
    }

    @Test func `releasing a reader in the middle closes the connection`() async throws {
        let scene = Scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall) }
        do {
            var reader = try await scene.reply().body.makeReader()
            #expect(try await reader.next().map { String(buffer: $0) } == "half")
        }
        scene.expectNoLeak(idle: 0)
    }

    @Test func `releasing a broken body closes the connection and says nothing`() async throws {
        let scene = Scene { _ in .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n") }
        do { _ = try await scene.reply() }
        scene.expectNoLeak(idle: 0)
    }

    @Test func `discarding a body that has arrived keeps the connection, though the reply is held`() async throws {
        let scene = Scene { _ in .chunked(["all", "is", "here"]) }
        let kept = try await scene.reply()
        var reply = kept
        reply.discardBody()
        scene.expectNoLeak(idle: 1)
        #expect(reply.body.whole == ByteBuffer())
        #expect(try await scene.answer() == Answer(text: "allishere", isReused: true))
        let failure = await failure { () async throws(ClientError) in try await kept.body.text() }
        #expect(failure?.fault == .bodyMisused(.discarded))
    }

    @Test func `discarding a body that is still to come closes the connection`() async throws {
        let scene = Scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall) }
        let kept = try await scene.reply()
        kept.body.discard()
        scene.expectNoLeak(idle: 0)
        try await scene.connector.waitForServers()
        kept.body.discard()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `discarding a body after its end leaves the connection to the next`() async throws {
        let scene = Scene { _ in .chunked(["one", "two"]) }
        let reply = try await scene.reply()
        #expect(try await reply.body.text() == "onetwo")
        reply.body.discard()
        scene.expectNoLeak(idle: 1)
        #expect(try await reply.body.text() == "")
        #expect(try await scene.answer() == Answer(text: "onetwo", isReused: true))
    }

    @Test func `discarding a body ends the read that waits for it`() async throws {
        let scene = Scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall) }
        let body = try await scene.reply().body
        let hasBegun = Flag()
        let reading = Task {
            await failure { () async throws(ClientError) in
                var reader = body.makeReader()
                _ = try await reader.next()
                hasBegun.raise()
                _ = try await reader.next()
            }
        }
        await hasBegun.wait()
        // The second read may have begun or not. In both cases it fails for the same reason.
        body.discard()
        #expect(await reading.value?.fault == .bodyMisused(.discarded))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `of two readers at once the later fails and the first goes on`() async throws {
        let mayGoOn = Suspension<Void>()
        let connector = MemoryConnector { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
            await mayGoOn.wait(onCancel: ())
            try await connection.write("late")
            await connection.waitForEnd()
        }
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
        let request = Request(.get, "http://test/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
        let body = try await transport.respond(to: call).body
        let attempts = Flag()
        let readers = (0..<2).map { _ in
            Task {
                attempts.raise()
                return try await body.text()
            }
        }
        // The second reader fails before any byte arrives.
        let failed = Flag()
        for reader in readers { Task { if case .failure = await reader.result { failed.raise() } } }
        await failed.wait()
        mayGoOn.resume(with: ())
        var texts: [String] = []
        var failures: [Fault?] = []
        for reader in readers {
            switch await reader.result {
            case .success(let text): texts.append(text)
            case .failure(let error): failures.append((error as? ClientError)?.fault)
            }
        }
        #expect(texts == ["late"])
        #expect(failures == [.bodyMisused(.concurrentReads)])
        #expect(transport.connectionCounts.lent == 0)
    }

    @Test func `a body gives nothing after its end`() async throws {
        let scene = Scene { _ in .chunked(["one", "two"]) }
        let body = try await scene.reply().body
        #expect(try await body.text() == "onetwo")
        #expect(try await body.text() == "")
    }

    @Test func `progress is told as it is read`() async throws {
        let observer = RecordingObserver()
        let scene = Scene(plan: .accept(toClient: [.drip(bytesPerPiece: 4)])) { _ in .response(body: "0123456789") }
        _ = try await scene.answer(observer: observer)
        #expect(observer.received.last == 10)
        #expect(observer.received == observer.received.sorted())
    }

    private static let violations: [(text: String, section: String, phase: ClientError.Phase)] = [
        ("HTTP/2 200 OK\r\n\r\n", "RFC 9112 §4", .head),
        ("HTTP/2.0 200 OK\r\n\r\n", "RFC 9112 §2.3", .head),
        ("HTTP/1.1 20 OK\r\n\r\n", "RFC 9112 §4", .head),
        ("SSH-2.0-server\r\n", "RFC 9112 §4", .head),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "RFC 9112 §6.3", .head),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip, chunked\r\n\r\n", "RFC 9112 §6.1", .head),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "RFC 9112 §6.3", .head),
        ("HTTP/1.1 101 Switching\r\n\r\n", "RFC 9110 §15.2.2", .head),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "RFC 9112 §7.1", .body),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nonetwo", "RFC 9112 §7.1", .body),
    ]

    @Test(arguments: violations.indices)
    func `a broken rule is named with its section and closes the connection`(index: Int) async {
        let (text, section, phase) = Self.violations[index]
        let scene = Scene { _ in .raw(text) }
        #expect(await scene.failure()?.ending == Ending(.protocolViolation(section), in: phase))
        scene.expectNoLeak(idle: 0)
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `a head beyond the limit is refused before it is whole`() async {
        var configuration = HTTPTransportConfiguration()
        configuration.limits.maximumByteCount = 100
        let endless = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 1000)
        let scene = Scene(ScriptedServer { _ in .raw(endless, ending: .stall) }, configuration)
        #expect(await scene.failure()?.ending == Ending(.protocolViolation("RFC 9110 §5.4"), in: .head))
        scene.expectNoLeak(idle: 0)
    }
}
