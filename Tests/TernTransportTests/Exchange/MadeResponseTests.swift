// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernFoundation
import TernRequests
import TernTransport
import TestSupport
import Testing

@Suite("Responses and bodies of the application's own", .hangLimit)
struct MadeResponseTests {
    private struct Broken: Error {}

    private let url = URL(string: "http://example.com/a") ?? URL(filePath: "/")

    private func text(of body: ResponseBody) async throws(ClientError) -> String {
        var data = Data()
        for try await chunk in body { data += chunk }
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: Responses

    @Test func `a response has the status and the fields that it is given, 200 and none by default`() {
        let plain = Response(url: self.url)
        #expect(plain.status == .ok)
        #expect(plain.fields.isEmpty)
        #expect(plain.contentLength == nil)
        #expect(plain.noticedFields.isEmpty)
        let fields: HTTPFields = [.location: "/b", .contentLength: "12", .setCookie: "a=b"]
        let response = Response(url: self.url, status: .found, fields: fields)
        #expect(response.url == self.url)
        #expect(response.status == .found)
        #expect(response.status.reasonPhrase == "Found")
        #expect(response.fields == fields)
        #expect(response[.location] == "/b")
        #expect(response.contentLength == 12)
        #expect(response.noticedFields == [.location, .setCookie])
        #expect(response.cacheStatus == .network)
        #expect(!response.isConnectionReused)
    }

    @Test(arguments: ["", "x", "-1", "+1", "1,1", "99999999999999999999"])
    func `a length that is malformed is none`(text: String) {
        #expect(Response(url: self.url, fields: [.contentLength: text]).contentLength == nil)
    }

    @Test func `a transfer coding overrides a length`() {
        let fields: HTTPFields = [.contentLength: "1", .transferEncoding: "chunked"]
        #expect(Response(url: self.url, fields: fields).contentLength == nil)
    }

    @Test func `a reason phrase cannot add a field`() {
        let status = HTTPResponse.Status(code: 200, reasonPhrase: "OK\r\nX-Evil: 1")
        let response = Response(url: self.url, status: status)
        #expect(response["X-Evil"] == nil)
        #expect(!response.status.reasonPhrase.contains("\n"))
    }

    @Test func `fields and status can be changed, in a copy alone`() {
        let before = Response(url: self.url, status: .notFound, fields: [.eTag: "\"1\""])
        var response = before
        response.fields[.cacheControl] = "max-age=60"
        response.fields["X-Key"] = "1"
        #expect(response["x-key"] == "1")
        #expect(response[.cacheControl] == "max-age=60")
        #expect(response[.eTag] == "\"1\"")
        #expect(response.status == .notFound)
        response.status = .ok
        #expect(response.statusCode == 200)
        #expect(response.fields.count == 3)
        response.fields[.contentEncoding] = "gzip"
        #expect(response.noticedFields == .contentEncoding)
        #expect(before.fields.count == 1)
        #expect(before.statusCode == 404)
    }

    @Test func `a field is found by the text of its name, and by no other text`() {
        let response = Response(url: self.url, fields: [.contentType: "text/plain"])
        #expect(response["Content-Type"] == "text/plain")
        #expect(response["content-type"] == "text/plain")
        for name in ["", "Content Type", "Content-Type:", "ä", "Content-Type\r\n"] { #expect(response[name] == nil) }
    }

    // MARK: Bodies

    @Test func `bytes and text are there already`() async throws {
        #expect(try await self.text(of: ResponseBody(Data("hello".utf8))) == "hello")
        #expect(try await self.text(of: ResponseBody("hellö")) == "hellö")
        #expect(ResponseBody("hellö").length == 6)
        #expect(ResponseBody().length == 0)
        #expect(try await self.text(of: ResponseBody()) == "")
    }

    @Test func `chunks of a sequence come one by one, and empty ones are left out`() async throws {
        let body = ResponseBody(chunks: [[], Array("one".utf8), [], Array("two".utf8)], length: 6)
        #expect(body.length == 6)
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("one".utf8))
        // A second iterator continues where the first one stopped.
        var other = body.makeAsyncIterator()
        #expect(try await other.next() == Data("two".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await other.next() == nil)
    }

    @Test func `chunks of an asynchronous sequence are asked for when they are wanted`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let body = ResponseBody(chunks: stream)
        #expect(body.length == nil)
        var iterator = body.makeAsyncIterator()
        continuation.yield(Data("one".utf8))
        #expect(try await iterator.next() == Data("one".utf8))
        continuation.yield(Data("two".utf8))
        continuation.finish()
        #expect(try await iterator.next() == Data("two".utf8))
        #expect(try await iterator.next() == nil)
    }

    @Test func `what the sequence throws, the reader gets, once`() async throws {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        continuation.yield(Data("one".utf8))
        continuation.finish(throwing: Broken())
        var iterator = ResponseBody(chunks: stream).makeAsyncIterator()
        #expect(try await iterator.next() == Data("one".utf8))
        do throws(ClientError) {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch {
            guard case .interceptorFailed(is Broken, _) = error else {
                Issue.record(error)
                return
            }
        }
        #expect(try await iterator.next() == nil)
    }

    @Test func `an error of the client's kind stays as it is`() async throws {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        continuation.finish(throwing: ClientError.notCached(ClientError.Context(phase: .head)))
        var iterator = ResponseBody(chunks: stream).makeAsyncIterator()
        do throws(ClientError) {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch {
            guard case .notCached = error else {
                Issue.record(error)
                return
            }
        }
    }

    @Test func `a cancelled reader does not take the end of a stream for the end of the body`() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let body = ResponseBody(chunks: stream)
        let reading = Task { for try await _ in body {} }
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.isCancellation == true)
        withExtendedLifetime(continuation) {}
    }
}
