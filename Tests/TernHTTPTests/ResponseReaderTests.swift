// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP1
import TernTesting
import TestSupport
import Testing

@testable import TernHTTP

@Suite("ResponseReader", .hangLimit)
struct ResponseReaderTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Returns a connection on which a response arrives in the given pieces.
    ///
    /// The connector must stay alive, because it runs the server.
    private static func connection(_ pieces: [String]) async throws -> (any Connection, MemoryConnector) {
        let connector = MemoryConnector { connection in
            for piece in pieces { try await connection.write(piece) }
            await connection.waitForEnd()
        }
        return (try await connector.connect(to: .host("test", port: 80), deadline: nil), connector)
    }

    @Test(arguments: [0, 1])
    func `what was read is forgotten, though no read ends where nothing is left`(holding: Int) async throws {
        // Each piece ends within a chunk extension, so the buffer is never empty. The whole body has one megabyte.
        let half = String(repeating: "x", count: 1000)
        let data = String(repeating: "y", count: 2000)
        let middle = "\(half)\r\n\(data)\r\n7d0;\(half)"
        let count = 500
        let pieces = ["\(Self.head)7d0;\(half)"] + Array(repeating: middle, count: count - 1)
        let (connection, connector) = try await Self.connection(pieces + ["\(half)\r\n\(data)\r\n0\r\n\r\n"])
        var reader = ResponseReader(connection, decoder: ResponseDecoder(method: .get))
        var (bodyByteCount, largestCapacity, isOver) = (0, 0, false)
        var held: [ByteBuffer] = []
        while !isOver {
            switch try await reader.next(atLeast: 1, deadline: nil) {
            case .body(let bytes):
                bodyByteCount += bytes.readableBytes
                // The buffer must not grow, even if a consumer keeps the pieces.
                held.append(bytes)
                if held.count > holding { held.removeFirst() }
            case .end: isOver = true
            case .head, .informational: break
            }
            largestCapacity = max(largestCapacity, reader.unread.capacity)
        }
        #expect(bodyByteCount == count * data.utf8.count)
        #expect(largestCapacity <= 64 << 10)
        _ = connector
    }

    @Test func `framing without a body to speak of is refused`() async throws {
        // The response has as much framing as the limit for each line allows, and few bytes of body.
        let line = "1;\(String(repeating: "x", count: 2000))"
        let pieces = [Self.head + line] + Array(repeating: "\(line)\r\na\r\n\(line)", count: 1000)
        let (connection, connector) = try await Self.connection(pieces)
        var reader = ResponseReader(connection, decoder: ResponseDecoder(method: .get))
        var (bodyByteCount, violation): (Int, HTTP1Violation?) = (0, nil)
        do throws(ResponseFailure) {
            while violation == nil {
                if case .body(let bytes) = try await reader.next(atLeast: 1, deadline: nil) {
                    bodyByteCount += bytes.readableBytes
                }
            }
        } catch {
            if case .violation(let broken) = error { violation = broken }
        }
        #expect(violation == .excessiveChunkFraming(limit: 16 << 10))
        #expect(bodyByteCount < 10)
        _ = connector
    }

    @Test(arguments: [
        "xyz, chunked", "gzip, xyz, chunked", "xyz", "chunkedchunked", "chunked, xyz", "chunked, gzip", "chunked;q=1",
        "gzip, gzip, gzip, gzip, chunked",
    ])
    func `a body in an unknown transfer coding is refused`(codings: String) async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n0\r\n\r\n"
        let (connection, connector) = try await Self.connection([text])
        var reader = ResponseReader(connection, decoder: ResponseDecoder(method: .get))
        do throws(ResponseFailure) {
            _ = try await reader.next(atLeast: 1, deadline: nil)
            Issue.record("not refused")
        } catch {
            guard case .unsupportedTransferCoding = error else {
                Issue.record("\(error)")
                return
            }
        }
        let isReusable = reader.isReusable
        #expect(!isReusable)
        _ = connector
    }

    @Test(arguments: ["chunked", "identity, chunked", "chunked, chunked", "gzip, chunked", "deflate, chunked"])
    func `chunks that are named otherwise are read`(codings: String) async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n1\r\n!\r\n0\r\n\r\n"
        let (connection, connector) = try await Self.connection([text])
        var reader = ResponseReader(connection, decoder: ResponseDecoder(method: .get))
        guard case .head = try await reader.next(atLeast: 1, deadline: nil),
            case .body(let bytes) = try await reader.next(atLeast: 1, deadline: nil),
            case .end = try await reader.next(atLeast: 1, deadline: nil)
        else {
            Issue.record("another event")
            return
        }
        #expect(String(buffer: bytes) == "!")
        let isReusable = reader.isReusable
        #expect(isReusable == (codings == "chunked"))
        _ = connector
    }

    @Test func `short chunks that came together are given together`() async throws {
        let chunks = (0..<5000).map { "1\r\n\($0 % 10)\r\n" }.joined()
        let (connection, connector) = try await Self.connection(["\(Self.head)\(chunks)0\r\n\r\n"])
        var reader = ResponseReader(connection, decoder: ResponseDecoder(method: .get))
        var (text, eventCount, isOver) = ("", 0, false)
        while !isOver {
            switch try await reader.next(atLeast: 1, deadline: nil) {
            case .body(let bytes):
                text += String(buffer: bytes)
                eventCount += 1
            case .end: isOver = true
            case .head, .informational: break
            }
        }
        #expect(text == (0..<5000).map { "\($0 % 10)" }.joined())
        #expect(eventCount < 5)
        let isReusable = reader.isReusable
        #expect(isReusable)
        _ = connector
    }
}
