// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernFoundation
import TernTransport
import TestSupport
import Testing

@Suite("Response and ResponseBody", .hangLimit)
struct ResponseTests {
    /// Returns a response whose fields are still the received bytes.
    private func response(
        _ statusCode: Int,
        _ reasonPhrase: String,
        _ lines: [String],
        contentLength: Int64? = nil,
        isReused: Bool = false
    ) throws -> Response {
        let bytes = Array(([reasonPhrase] + lines).map { "\($0)\r\n" }.joined().utf8)
        let start = reasonPhrase.utf8.count + 2
        let head = Response.Head(
            statusCode: statusCode,
            version: .http11,
            contentLength: contentLength,
            noticedFields: [],
            fields: FieldSection(storage: bytes, start: start, count: lines.count)
        )
        return Response(url: try #require(URL(string: "http://example.com/")), head: head, isReused: isReused)
    }

    @Test func `tells status, length and single fields without making all fields`() throws {
        let response = try self.response(201, "Created", ["X-One: 1", "x-one: 2"], contentLength: 7)
        #expect(response.statusCode == 201)
        #expect(response.status.reasonPhrase == "Created")
        #expect(response.isSuccess)
        #expect(response.contentLength == 7)
        #expect(response[try #require(HTTPField.Name("X-ONE"))] == "1")
        #expect(response[.eTag] == nil)
        #expect(!response.isConnectionReused)
    }

    @Test func `makes all fields when asked, the same ones every time`() throws {
        let response = try self.response(404, "Not Found", ["Set-Cookie: a", "Set-Cookie: b"], isReused: true)
        #expect(!response.isSuccess)
        #expect(response.isConnectionReused)
        #expect(response.fields.map(\.value) == ["a", "b"])
        #expect(response.fields == response.httpResponse.headerFields)
        #expect(response.httpResponse.status == .notFound)
    }

    @Test func `a description tells the status and no field`() throws {
        let response = try self.response(200, "OK", ["Set-Cookie: secret"])
        #expect("\(response)".contains("200"))
        #expect(!"\(response)".contains("secret"))
    }

    @Test func `a body that is there is given once and has a length`() async throws {
        let body = ResponseBody(ByteBuffer(string: "hello"))
        #expect(body.length == 5)
        #expect(body.whole == ByteBuffer(string: "hello"))
        var reader = body.makeReader()
        #expect(try await reader.next() == ByteBuffer(string: "hello"))
        #expect(try await reader.next() == nil)
    }

    @Test func `an empty body ends at once`() async throws {
        var reader = ResponseBody(ByteBuffer()).makeReader()
        #expect(try await reader.next() == nil)
    }

    @Test func `a source is asked only when somebody reads, and a second reader goes on`() async throws {
        let source = CountingSource()
        let body = ResponseBody(source)
        #expect(source.asked == [])
        var one = body.makeReader()
        _ = try await one.next()
        var other = body.makeReader()
        _ = try await other.next(atLeast: 100)
        #expect(source.asked == [1, 100])
        #expect(body.length == 42)
        #expect(body.whole == nil)
    }

    @Test func `releasing body and readers releases the source`() async throws {
        weak var released: CountingSource?
        do {
            let source = CountingSource()
            released = source
            var reader = ResponseBody(source).makeReader()
            _ = try await reader.next()
        }
        #expect(released == nil)
    }
}

private final class CountingSource: ResponseBodySource {
    private let log = Mutex<[Int]>([])

    var asked: [Int] { self.log.withLock { $0 } }
    var length: Int64? { 42 }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        self.log.withLock { $0.append(byteCount) }
        return ByteBuffer(string: "x")
    }

    func discard() {}
}
