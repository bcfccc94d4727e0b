// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Each body comes once whole, and once as the beginning of a longer one.
@Suite("Sequences over a body, after an error", .hangLimit)
struct SequenceAfterErrorTests {
    private static func scenes(_ text: String, _ type: String = "text/event-stream") -> [StreamScene] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 99\r\n\r\n"
        let responses: [ScriptedResponse] = [
            .response(fields: [.contentType: type], body: text), .raw("\(head)\(text)", ending: .stall),
        ]
        return responses.map { response in StreamScene { _ in response } }
    }

    private static func fault<Values: AsyncSequence>(
        of values: Values
    ) async -> Fault? where Values.Failure == ClientError {
        await collected(values).error?.fault
    }

    @Test func `a line that is too long ends all sequences over the body`() async throws {
        for scene in Self.scenes("too long\nmore\n", "text/plain") {
            let (bytes, _) = try await scene.client.bytes(from: testURL)
            #expect(await Self.fault(of: bytes.lines(maximumByteCount: 4)) == .lineTooLong)
            #expect(await Self.fault(of: bytes.lines) == .bodyMisused(.discarded))
            #expect(await Self.fault(of: bytes) == .bodyMisused(.discarded))
            #expect(await Self.fault(of: bytes.events()) == .bodyMisused(.discarded))
            #expect(await Self.fault(of: bytes.chunks) == .bodyMisused(.discarded))
        }
    }

    @Test func `an event that is too long ends the stream for all loops`() async throws {
        for scene in Self.scenes("data: 012345\n\ndata: 1\n\n") {
            let options = EventStreamOptions(maximumEventByteCount: 4)
            let stream = try await scene.client.events(from: testURL, options: options)
            #expect(await Self.fault(of: stream) == .valueTooLong(StreamPosition(index: 0, byteOffset: 0)))
            #expect(await Self.fault(of: stream) == .bodyMisused(.discarded))
        }
    }

    @Test func `an event that cannot be decoded ends the stream for all loops`() async throws {
        for scene in Self.scenes("data: x\n\ndata: 1\n\n") {
            let numbers = try await scene.client.events(from: testURL, as: Int.self)
            #expect(await Self.fault(of: numbers) == .decodingFailed(.corrupted))
            #expect(await Self.fault(of: numbers) == .bodyMisused(.discarded))
        }
    }

    @Test(arguments: ["x\n1\n", "1\n1234567\n2\n"])
    func `a record that cannot be used ends the values for all loops`(text: String) async throws {
        for scene in Self.scenes(text, "application/x-ndjson") {
            let numbers = try await scene.client.values(from: testURL, as: Int.self, maximumByteCount: 4)
            #expect(await Self.fault(of: numbers) != nil)
            #expect(await Self.fault(of: numbers) == .bodyMisused(.discarded))
        }
    }

    @Test func `an iterator ends with its error, and does not return half a line after it`() async throws {
        let scene = StreamScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na\nhalf", ending: .close) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var lines = bytes.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        let error = await #expect(throws: ClientError.self) { try await lines.next() }
        #expect(error?.isTruncated == true)
        #expect(try await lines.next() == nil)
        var late = bytes.makeAsyncIterator()
        await #expect(throws: ClientError.self) { try await late.next() }
        #expect(try await late.next() == nil)
    }

    @Test func `a read during another one fails, but does not end the body`() async throws {
        let (isRead, mayEnd) = (Flag(), Flag())
        let chunks = AsyncStream<Data>(unfolding: {
            isRead.raise()
            await mayEnd.wait()
            return Data("a\n".utf8)
        })
        let transport = ScriptedTransport(
            ScriptedTransport.Step { call async throws(ClientError) in
                HTTPReply(response: Response(url: call.request.url), body: ResponseBody(chunks: chunks))
            }
        )
        let (bytes, _) = try await Client(transport: transport).bytes(from: testURL)
        let first = Task { () async throws -> String? in
            var lines = bytes.lines.makeAsyncIterator()
            return try await lines.next()
        }
        await isRead.wait()
        #expect(await Self.fault(of: bytes.lines) == .bodyMisused(.concurrentReads))
        mayEnd.raise()
        #expect(try await first.value == "a")
        var lines = bytes.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
    }
}
