// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import NIOCore
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Caching: bodies", .hangLimit)
struct CachedBodyTests {
    private static let minute: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
    private static let long = String(repeating: "0123456789", count: 30_000)

    @Test func `a long body is stored while it is read, and given whole`() async throws {
        let scene = CacheScene { _, _ in .response(fields: Self.minute, body: Self.long) }
        try await expectEqual(scene.get(), "200 \(Self.long) network")
        try await expectEqual(scene.get(), "200 \(Self.long) cached 0")
    }

    @Test func `a body in chunks is stored, too`() async throws {
        let scene = CacheScene { _, _ in .chunked(["one", "two"], fields: Self.minute) }
        #expect(try await scene.get() == "200 onetwo network")
        #expect(try await scene.get() == "200 onetwo cached 0")
    }

    @Test func `who stops early stores nothing`() async throws {
        let scene = CacheScene { number, _ in .chunked(["\(number)", Self.long], fields: Self.minute) }
        do {
            let reply = try await scene.client.reply(for: Request(url: testURL))
            var reader = reply.body.makeReader()
            #expect(try await reader.next() != nil)
        }
        #expect(try await scene.entryCount() == 0)
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(data.first == UInt8(ascii: "2") && response.cacheStatus == .network)
        #expect(try await scene.entryCount() == 1)
    }

    @Test func `a body that is cut off is an error and is not stored`() async throws {
        let cut = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\nhalf"
        let scene = CacheScene { number, _ in
            number == 1 ? .raw(cut, ending: .close) : .response(fields: Self.minute, body: "whole")
        }
        let error = await scene.client.failure(Request(url: testURL))
        guard case .truncated? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await scene.entryCount() == 0)
        #expect(try await scene.get() == "200 whole network")
    }

    @Test func `a call that is cancelled while its body comes stores nothing`() async throws {
        let scene = CacheScene { _, _ in
            .raw("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        }
        let client = scene.client
        let task = Task { await client.failure(Request(url: testURL)) }
        try await scene.scene.server.waitForRequests(1)
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        #expect(try await scene.entryCount() == 0)
    }

    @Test(arguments: [true, false])
    func `a body that is longer than the bound is given and not stored`(isAnnounced: Bool) async throws {
        let store = MemoryCacheStore(maximumByteCount: 1 << 20, maximumBodyByteCount: 1000)
        let scene = CacheScene(store: store) { _, request in
            let body = String(repeating: "x", count: request.target == "/" ? 1001 : 1000)
            return isAnnounced
                ? .response(fields: Self.minute, body: body)
                : .chunked([String(body.prefix(600)), String(body.dropFirst(600))], fields: Self.minute)
        }
        for _ in 0..<2 { #expect(try await scene.client.data(from: testURL).0.count == 1001) }
        #expect(scene.requests.count == 2 && store.byteCount == 0)
        let shorter = try #require(URL(string: "http://test/short"))
        for _ in 0..<2 { #expect(try await scene.client.data(from: shorter).0.count == 1000) }
        #expect(scene.requests.count == 3)
    }

    @Test func `what was compressed for the way is stored decoded`() async throws {
        // "hello hello hello hello" as gzip.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
            0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
        ]
        var fields = Self.minute
        fields[.contentEncoding] = "gzip"
        fields[.vary] = "Accept-Encoding"
        let scene = CacheScene { [fields] _, _ in .response(fields: fields, bytes: gzip) }
        #expect(try await scene.get() == "200 hello hello hello hello network")
        #expect(try await scene.get() == "200 hello hello hello hello cached 0")
        let (_, response) = try await scene.client.data(from: testURL)
        #expect(response[.contentEncoding] == nil && response.contentLength == nil)
        // "Caches MUST include all received response header fields … when storing a response" (RFC 9111 §3.1).
        #expect(response.receivedFields[.contentEncoding] == "gzip")
        #expect(response.receivedFields[.contentLength] == "\(gzip.count)")
        // A request for a certain coding must not get the decoded body.
        let own = Request(url: testURL).header(.acceptEncoding, "gzip")
        #expect(try await scene.client.data(for: own).0.count == gzip.count)
        #expect(scene.requests.count == 2)
    }

    @Test(arguments: FailingStore.Method.allCases)
    func `a store that fails does no harm`(method: FailingStore.Method) async throws {
        let scene = CacheScene(store: FailingStore(method)) { _, request in
            if request.fields[.ifNoneMatch] != nil { return .response(.notModified, fields: [.eTag: "\"a\""]) }
            return request.target == "/"
                ? .chunked(["bo", "dy"], fields: Self.minute) : .response(fields: Self.minute, body: "body")
        }
        for url in ["http://test/", "http://test/whole"] {
            for _ in 0..<2 { #expect(try await scene.get(Request(.get, url)).hasPrefix("200 body ")) }
            scene.advance(61)
            for _ in 0..<2 { #expect(try await scene.get(Request(.get, url)).hasPrefix("200 body ")) }
            _ = try await scene.get(Request(.delete, url))
            #expect(try await scene.get(Request(.get, url)).hasPrefix("200 body "))
        }
    }
}
