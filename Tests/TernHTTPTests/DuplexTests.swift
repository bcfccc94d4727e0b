// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Both directions at once", .hangLimit)
struct DuplexTests {
    private struct Broken: Error {}

    @Test func `each piece comes back before the next is written`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        let reply = try await scene.reply()
        var reader = reply.body.makeReader()
        for number in 0..<100 {
            try await scene.writer.write("piece \(number)".utf8)
            #expect(try await reader.text() == "piece \(number)")
        }
        scene.writer.finish()
        #expect(try await reader.text() == nil)
        #expect(scene.transport.connectionCounts.idle == 1)
    }

    @Test func `a body may be empty`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        scene.writer.finish()
        #expect(try await scene.reply().body.text() == "")
    }

    @Test func `several tasks write, and pieces stay whole`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        async let text = scene.reply().body.text()
        try await withThrowingTaskGroup { group in
            for number in 100..<200 { group.addTask { try await scene.writer.write("<\(number)>".utf8) } }
            try await group.waitForAll()
        }
        scene.writer.finish()
        let pieces = try await text.split(separator: "<").map(String.init)
        #expect(pieces.sorted() == (100..<200).map { "\($0)>" })
    }

    // MARK: Back-pressure

    @Test func `a slow reader slows the writer`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        let (count, size) = (512, 16 << 10)
        let writtenCount = Flag()
        let writing = Task {
            for _ in 0..<count {
                try await scene.writer.write([UInt8](repeating: 1, count: size))
                writtenCount.raise()
            }
            scene.writer.finish()
        }
        var reader = try await scene.reply().body.makeReader()
        var receivedByteCount = 0
        while let bytes = try await reader.next() {
            receivedByteCount += bytes.readableBytes
            // The difference is in the buffers at both ends of both directions, and in the server's current piece.
            #expect(writtenCount.count * size - receivedByteCount <= 1 << 20)
        }
        try await writing.value
        #expect(receivedByteCount == count * size)
    }

    @Test func `a server that takes nothing holds up the writer, however much there is to write`() async throws {
        let mayRead = Suspension<Void>()
        let scene = DuplexScene { connection in
            guard try await connection.readHead() != nil else { return }
            try await connection.write(ServerConnection.chunkedHead)
            await mayRead.wait(onCancel: ())
            while true { if try await connection.readChunk().isEmpty { break } }
            try await connection.writeChunk("")
        }
        let writtenCount = Flag()
        let writing = Task {
            for _ in 0..<512 {
                try await scene.writer.write([UInt8](repeating: 1, count: 16 << 10))
                writtenCount.raise()
            }
            scene.writer.finish()
        }
        let reply = try await scene.reply()
        try await eventually("some pieces are taken") { writtenCount.count > 0 }
        #expect(writtenCount.count * (16 << 10) <= 1 << 20)
        mayRead.resume(with: ())
        try await writing.value
        #expect(try await reply.body.text() == "")
    }

    // MARK: Lengths

    @Test func `a length that is announced is kept`() async throws {
        let scene = DuplexScene(length: 6) { connection in
            guard let request = try await connection.readRequest() else { return }
            try await connection.send(.response(body: "\(request.text) \(request.fields[.contentLength] ?? "")"))
        }
        async let text = scene.reply().body.text()
        try await scene.writer.write("one".utf8)
        try await scene.writer.write("two".utf8)
        scene.writer.finish()
        #expect(try await text == "onetwo 6")
    }

    @Test(arguments: [["one"], ["one", "two", "three"]])
    func `another length than announced fails`(pieces: [String]) async throws {
        let scene = DuplexScene(length: 6) { connection in
            _ = try await connection.readRequest()
            Issue.record("the request is complete")
        }
        let calling = Task { try await scene.reply() }
        for piece in pieces { try? await scene.writer.write(piece.utf8) }
        scene.writer.finish()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .uploadFailed(.lengthMismatch(announced: 6)))
    }

    // MARK: Answers that come early

    @Test func `a server that accepts in place of 100 Continue gets the body`() async throws {
        let scene = DuplexScene(expectsContinue: true) { try await $0.echo() }
        var reader = try await scene.reply().body.makeReader()
        try await scene.writer.write("one".utf8)
        #expect(try await reader.text() == "one")
        scene.writer.finish()
        #expect(try await reader.text() == nil)
    }

    @Test func `a server that refuses while it is written to ends the writing, and its answer is read`() async throws {
        let scene = DuplexScene { connection in
            guard try await connection.readHead() != nil else { return }
            #expect(try await connection.readChunk() == "one")
            try await connection.send(.response(.contentTooLarge, body: "too large"))
            await connection.waitForEnd()
        }
        async let reply = scene.reply()
        try await scene.writer.write("one".utf8)
        let answer = try await reply
        #expect(answer.response.statusCode == 413)
        #expect(await scene.failureOfWritingOn() == .uploadFailed(.notNeeded))
        #expect(try await answer.body.text() == "too large")
    }

    @Test func `a server that answers and closes ends the writing`() async throws {
        let scene = DuplexScene { connection in
            guard try await connection.readHead() != nil else { return }
            try await connection.send(.response(body: "enough", ending: .close))
        }
        #expect(try await scene.reply().body.text() == "enough")
        #expect(await scene.failureOfWritingOn() == .uploadFailed(.notNeeded))
        #expect(scene.connector.openCount == 0)
    }

    // MARK: Ends

    @Test(arguments: [false, true])
    func `a writer that is released leaves no request that looks complete`(isAnswered: Bool) async throws {
        let isOver = Flag()
        let server: MemoryConnector.Server = { connection in
            guard try await connection.readHead() != nil else { return }
            if isAnswered { try await connection.write(ServerConnection.chunkedHead) }
            #expect(try await connection.readChunk() == "one")
            await #expect(throws: (any Error).self) { try await connection.readChunk() }
            isOver.raise()
        }
        let (body, calling) = await Self.call(server) { try? await $0.write("one".utf8) }
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .uploadFailed(.streamFailed(type: "WriterReleased")))
        await isOver.wait()
        withExtendedLifetime(body) {}
    }

    @Test func `an error ends the body, and the call says its type`() async throws {
        let (body, calling) = await Self.call({ try await $0.echo() }) { writer in
            try? await writer.write("one".utf8)
            writer.finish(throwing: Broken())
            let fault = await fault { () async throws(ClientError) in try await writer.write("two".utf8) }
            #expect(fault == .uploadFailed(.finished))
        }
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .uploadFailed(.streamFailed(type: "Broken")))
        withExtendedLifetime(body) {}
    }

    /// Starts a call whose body a closure writes.
    ///
    /// The writer is released when the closure returns.
    private static func call(
        _ server: @escaping MemoryConnector.Server,
        writing: (RequestBody.Writer) async -> Void
    ) async -> (RequestBody, Task<String, any Error>) {
        let (body, writer) = RequestBody.makeWriter()
        let calling = Task {
            let connector = MemoryConnector(connection: server)
            let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
            var request = Request(.post, "http://test/").body(body)
            request.options.expectsContinue = false
            let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
            let reply = try await transport.respond(to: call)
            defer { withExtendedLifetime(connector) {} }
            return try await reply.body.text()
        }
        await writing(writer)
        return (body, calling)
    }
}
