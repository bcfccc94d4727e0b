// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernTesting
import TestSupport
import Testing

@testable import TernHTTP
@testable import TernHTTP2

@Suite("HTTP2ExchangeStream", .hangLimit)
struct HTTP2ExchangeStreamTests {
    /// The session's reader puts a head and content in on one thread while the exchange looks on another: whenever the
    /// exchange looks, it must not get content before the head.
    @Test func `no content overtakes the head`() async throws {
        let connector = MemoryConnector { connection in await connection.waitForEnd() }
        let connection = try await connector.connect(to: .host("test", port: 80), deadline: nil)
        let settings = ExchangeSettings(HTTPTransportConfiguration())
        let session = HTTP2Session(connection, settings, clock: ManualClock())
        let stream = HTTP2ExchangeStream(session)
        if stream.takeHead() != nil { Issue.record("a head that no server sent") }
        let lines = FieldLines(maximumByteCount: 1000, largestByteCount: 1000)
        stream.receive(HTTP2ResponseHead(statusCode: 200, lines), isInterim: false)
        stream.inbox.append(partOfBuffer: ByteBuffer(string: "content"))
        // Nothing has woken the reader yet, but it reads at this moment.
        let early = try await stream.inbox.read(atLeast: 1, deadline: nil)
        #expect(early?.readableBytes == 0)
        guard case .head? = stream.takeHead() else { return #expect(Bool(false)) }
        let content = try await stream.inbox.read(atLeast: 1, deadline: nil)
        #expect(content.map { String(buffer: $0) } == "content")
        connection.close()
    }

    @Test func `streams that upload take turns in their order, each once`() async throws {
        let connector = MemoryConnector { connection in await connection.waitForEnd() }
        let connection = try await connector.connect(to: .host("test", port: 80), deadline: nil)
        let settings = ExchangeSettings(HTTPTransportConfiguration())
        let session = HTTP2Session(connection, settings, clock: ManualClock())
        let streams = (0..<3).map { _ in HTTP2ExchangeStream(session) }
        var queue = UploadQueue()
        for stream in streams + streams { queue.add(stream) }
        let first = queue.next()
        #expect(first === streams[0])
        queue.add(streams[0])  // it has more to send
        let rest = [queue.next(), queue.next(), queue.next()]
        #expect(rest.elementsEqual([streams[1], streams[2], streams[0]]) { $0 === $1 })
        #expect(queue.isEmpty)
        #expect(queue.next() == nil)
        for stream in streams { queue.add(stream) }
        queue.removeAll()
        #expect(queue.isEmpty)
        queue.add(streams[1])  // a stream that was removed may come back
        #expect(queue.next() === streams[1])
        connection.close()
    }
}
