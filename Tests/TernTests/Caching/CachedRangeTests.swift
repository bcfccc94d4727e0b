// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests requests for one range of bytes, which the cache answers from a stored whole response (RFC 9110 §14, RFC 9111
/// §3.3).
@Suite("Caching: parts", .hangLimit)
struct CachedRangeTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let minute: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"a\"", .lastModified: Self.date, .contentType: "text/plain",
    ]
    private static let alphabet = "abcdefghij"

    /// Returns a scene whose server supports ranges, and marks the parts that it sends itself.
    private static func scene(
        store: any CacheStore = MemoryCacheStore(),
        _ fields: HTTPFields = Self.minute,
        body: String = Self.alphabet
    ) -> CacheScene {
        CacheScene(store: store) { _, request in
            guard let range = request.fields[.range] else { return .response(fields: fields, body: body) }
            let named = request.fields[.ifRange] ?? "-"
            return .response(.partialContent, fields: [.contentRange: "bytes 0-0/1"], body: "\(range) \(named)")
        }
    }

    private static func request(_ range: String, ifRange: String? = nil) -> Request {
        let request = Request(url: testURL).header(.range, range)
        return ifRange.map { request.header(.ifRange, $0) } ?? request
    }

    @Test(arguments: [
        ("bytes=0-0", "a", "0-0"), ("bytes=2-4", "cde", "2-4"), ("bytes=7-", "hij", "7-9"), ("bytes=-3", "hij", "7-9"),
        ("bytes=0-", "abcdefghij", "0-9"), ("bytes=8-99", "ij", "8-9"), ("bytes=-99", "abcdefghij", "0-9"),
        ("bytes=9-9", "j", "9-9"), ("Bytes=1-2", "bc", "1-2"),
    ])
    func `one range of what is stored is given as 206`(_ range: String, _ body: String, _ place: String) async throws {
        let scene = Self.scene()
        _ = try await scene.get()
        scene.advance(5)
        let (data, response) = try await scene.client.data(for: Self.request(range))
        #expect(response.statusCode == 206 && String(decoding: data, as: UTF8.self) == body)
        #expect(response.fields[values: .contentRange] == ["bytes \(place)/10"])
        #expect(response.fields[values: .contentLength] == ["\(body.utf8.count)"])
        #expect(response.fields[values: .age] == ["5"])
        #expect(response[.eTag] == "\"a\"" && response[.contentType] == "text/plain")
        #expect(response.cacheStatus == .cached(age: .seconds(5)))
        #expect(scene.requests.count == 1)
    }

    @Test(arguments: [
        "bytes=0-1,4-5", "bytes=10-", "bytes=10-12", "bytes=-0", "bytes=5-4", "bytes=", "bytes", "bytes=a-b",
        "items=0-1",
        "bytes=1-2,", "bytes= 0-0", "bytes=0 -0", "bytes=--1", "bytes=+1-2", "bytes=99999999999999999999-",
    ])
    func `what is no single range that can be satisfied is the server's to answer`(_ range: String) async throws {
        let scene = Self.scene()
        _ = try await scene.get()
        #expect(try await scene.get(Self.request(range)) == "206 \(range) - network")
        #expect(try await scene.get() == "200 \(Self.alphabet) cached 0")
    }

    @Test func `an empty body has no range`() async throws {
        let scene = Self.scene(body: "")
        _ = try await scene.get()
        for range in ["bytes=0-", "bytes=-1"] {
            #expect(try await scene.get(Self.request(range)) == "206 \(range) - network")
        }
    }

    @Test func `two fields are the server's to answer`() async throws {
        let scene = Self.scene()
        _ = try await scene.get()
        let request = Self.request("bytes=0-0").header(adding: .range, "bytes=1-1")
        #expect(try await scene.get(request).hasSuffix("network"))
    }

    /// Tests `If-Range` (RFC 9110 §13.1.5).
    @Test(arguments: [
        ("\"a\"", true), (Self.date, true), ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("\"b\"", false),
        ("W/\"a\"", false),
        ("Sun, 06 Nov 1994 08:49:38 GMT", false), ("a", false), ("", false),
    ])
    func `If-Range must name what is stored`(_ condition: String, _ isStored: Bool) async throws {
        let scene = Self.scene()
        _ = try await scene.get()
        let word = try await scene.get(Self.request("bytes=0-1", ifRange: condition))
        #expect(word == (isStored ? "206 ab cached 0" : "206 bytes=0-1 \(condition) network"))
    }

    @Test func `a weak tag names no bytes, nor does a date that is not strong`() async throws {
        let now = HTTPDate(secondsSince1970: 1_767_225_600).description  // the start of the test's clock
        let scene = Self.scene([.cacheControl: "max-age=60", .eTag: "W/\"a\"", .lastModified: now, .date: now])
        _ = try await scene.get()
        for condition in ["W/\"a\"", "\"a\"", now] {
            #expect(try await scene.get(Self.request("bytes=0-1", ifRange: condition)).hasSuffix("network"))
        }
        #expect(try await scene.get(Self.request("bytes=0-1")) == "206 ab cached 0")
    }

    @Test func `what would have to be validated is the server's to answer`() async throws {
        let scene = Self.scene()
        _ = try await scene.get()
        let policies = [CachePolicy.reload, .revalidate]
        for policy in policies {
            #expect(try await scene.get(Self.request("bytes=0-1").cache(policy)) == "206 bytes=0-1 - network")
        }
        for wish in ["no-cache", "max-age=0", "no-store"] {
            let request = Self.request("bytes=0-1").header(.cacheControl, wish)
            #expect(try await scene.get(request) == "206 bytes=0-1 - network")
        }
        scene.advance(61)
        #expect(try await scene.get(Self.request("bytes=0-1")) == "206 bytes=0-1 - network")
        #expect(try await scene.get(Self.request("bytes=0-1").cache(.returnCachedElseLoad)) == "206 ab stale 61")
    }

    @Test func `only what is stored is given where nothing else is wanted`() async throws {
        let scene = Self.scene()
        let request = Self.request("bytes=0-1")
        let wish = request.header(.cacheControl, "only-if-cached")
        for request in [request.cache(.onlyCached), wish] {
            guard case .notCached? = await scene.client.failure(request) else {
                Issue.record("not refused")
                return
            }
        }
        #expect(scene.requests.isEmpty)
        _ = try await scene.get()
        #expect(try await scene.get(request.cache(.onlyCached)) == "206 ab cached 0")
        #expect(try await scene.get(wish) == "206 ab cached 0")
    }

    @Test(arguments: [
        HTTPField.Name.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ])
    func `with another condition it is the server's to answer`(_ name: HTTPField.Name) async throws {
        let scene = Self.scene()
        _ = try await scene.get()
        #expect(try await scene.get(Self.request("bytes=0-1").header(name, "\"a\"")).hasSuffix("network"))
    }

    @Test func `a range counts the bytes of what is sent, so that decoded content has none`() async throws {
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
            0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
        ]
        var fields = Self.minute
        fields[.contentEncoding] = "gzip"
        let scene = CacheScene { [fields] _, request in
            guard request.fields[.range] != nil else { return .response(fields: fields, bytes: gzip) }
            return .response(.partialContent, fields: [.contentRange: "bytes 0-0/28"], body: "?")
        }
        #expect(try await scene.get() == "200 hello hello hello hello network")
        #expect(try await scene.get(Self.request("bytes=0-0")) == "206 ? network")
    }

    @Test func `a status that is not 200, another user's, and another variant's are not cut`() async throws {
        let scene = CacheScene { _, request in
            guard request.fields[.range] == nil else { return .response(.partialContent, body: "?") }
            var fields = Self.minute
            fields[.vary] = "Accept-Language"
            return .response(request.target == "/gone" ? .gone : .ok, fields: fields, body: Self.alphabet)
        }
        _ = try await scene.get(Request(url: testURL).header(.acceptLanguage, "de"))
        #expect(try await scene.get(Self.request("bytes=0-0")) == "206 ? network")
        let german = Self.request("bytes=0-0").header(.acceptLanguage, "de")
        #expect(try await scene.get(german) == "206 a cached 0")
        #expect(try await scene.get(german.header(.authorization, "Bearer x")) == "206 ? network")
        _ = try await scene.get(Request(.get, "http://test/gone"))
        let gone = Request(.get, "http://test/gone").header(.range, "bytes=0-0")
        #expect(try await scene.get(gone) == "206 ? network")
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 299_999], [1, 2, 70_000, 300_000])
    func `any part of a long body on the disk is given`(_ first: Int, _ count: Int) async throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "0123456789", count: 30_000)
        let scene = Self.scene(store: DiskCacheStore(directory: folder.url), body: long)
        _ = try await scene.get()
        let last = min(first + count - 1, 299_999)
        let (data, response) = try await scene.client.data(for: Self.request("bytes=\(first)-\(first + count - 1)"))
        #expect(data == Data(long.utf8)[first...last])
        #expect(response[.contentRange] == "bytes \(first)-\(last)/300000")
        #expect(scene.requests.count == 1)
    }
}
