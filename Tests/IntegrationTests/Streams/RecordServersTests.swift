// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Streams of records", .hangLimit)
struct RecordServersTests {
    private struct Change: Codable, Hashable, Sendable {
        var number: Int
        var text = "line\nfeed ä😀"
    }

    /// hypercorn sends the body back while it arrives.
    @Test(arguments: [HTTPVersionPolicy.http1, .automatic])
    func `values go there and come back, one at a time`(_ version: HTTPVersionPolicy) async throws {
        let server = try await HTTP2Server.shared(.hypercorn)
        let (values, continuation) = AsyncStream<Change>.makeStream()
        let request = Request(.post, server.url("/upload")).httpVersion(version).body(jsonLines: values)
        continuation.yield(Change(number: 0))
        let stream = try await server.makeClient().values(for: request, as: Change.self)
        #expect(stream.response.httpVersion == (version == .http1 ? .http11 : .http2))
        var changes = stream.makeAsyncIterator()
        for number in 0..<5 {
            #expect(try await changes.next() == Change(number: number))
            if number < 4 { continuation.yield(Change(number: number + 1)) } else { continuation.finish() }
        }
        #expect(try await changes.next() == nil)
    }

    /// A format, its media type, and a stream in this format.
    private static let streams: [(type: String, text: String)] = [
        ("application/x-ndjson", #"{"number":1,"text":"ä"}"# + "\n\n" + #"{"number":2,"text":"\n"}"# + "\r\n"),
        (
            "application/json-seq",
            "\u{1E}" + #"{"number":1,"text":"ä"}"# + "\n\u{1E}" + #"{"number":2,"text":"\n"}"# + "\n"
        ),
    ]

    @Test(arguments: [0, 1])
    func `every record before the cut arrives, and then an error`(_ index: Int) async throws {
        let (type, text) = Self.streams[index]
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let bytes = Data(text.utf8)
        for byteCount in 0...bytes.count {
            let request = Request(.post, server.url("/events/cut"))
                .query("at", byteCount).query("framing", "chunked").query("type", type).body(data: bytes)
            var numbers: [Int] = []
            let fault = await fault { () async throws(ClientError) in
                for try await change in try await client.values(for: request, as: Change.self) {
                    numbers.append(change.number)
                }
            }
            let count = bytes[..<byteCount].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .dropLast().filter { !$0.isEmpty }.count
            #expect(numbers == Array([1, 2].prefix(count)), "cut at \(byteCount)")
            #expect(fault == .truncated(received: Int64(byteCount), expected: nil), "cut at \(byteCount)")
        }
    }
}
