// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Caching", .hangLimit)
struct CachingTests {
    private static let minute: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]

    @Test func `what is fresh is not asked for again`() async throws {
        let scene = CacheScene { number, _ in .response(fields: Self.minute, body: "\(number)") }
        #expect(try await scene.get() == "200 1 network")
        scene.advance(10)
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "1")
        #expect(response.cacheStatus == .cached(age: .seconds(10)))
        #expect(response.fields[values: .age] == ["10"])
        #expect(response[.eTag] == "\"a\"" && response.url == testURL && response.status == .ok)
        #expect(scene.requests.count == 1)
    }

    @Test func `a client without a cache asks each time`() async throws {
        let scene = ClientScene { _ in .response(fields: Self.minute, body: "x") }
        for _ in 0..<2 { #expect(try await scene.client.data(from: testURL).1.cacheStatus == .network) }
        #expect(scene.server.requests.count == 2)
        let refused = await scene.client.failure(Request(url: testURL).cache(.onlyCached))
        guard case .notCached? = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(scene.server.requests.count == 2 && refused?.isRetryable == false)
    }

    @Test func `what is stale is validated, and is fresh again then`() async throws {
        let scene = CacheScene { number, request in
            guard number > 1 else { return .response(fields: Self.minute, body: "one") }
            #expect(request.fields[.ifNoneMatch] == "\"a\"")
            return .response(.notModified, fields: [.eTag: "\"a\"", .setCookie: "c=\(number)"])
        }
        #expect(try await scene.get() == "200 one network")
        scene.advance(61)
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "one" && response.cacheStatus == .revalidated(age: .zero))
        #expect(response[.setCookie] == "c=2")  // the field of the new response
        scene.advance(59)
        let again = try await scene.client.data(from: testURL).1
        #expect(again.cacheStatus == .cached(age: .seconds(59)) && again[.setCookie] == nil)
        scene.advance(1)
        #expect(try await scene.get() == "200 one revalidated 0")
        #expect(scene.requests.count == 3)
    }

    @Test func `a validation that finds something new gives and stores that`() async throws {
        let scene = CacheScene { number, _ in .response(fields: Self.minute, body: "\(number)") }
        #expect(try await scene.get() == "200 1 network")
        scene.advance(61)
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.get() == "200 2 cached 0")
        #expect(try await scene.entryCount() == 1)
    }

    @Test func `a 304 about another response makes the client ask without a condition`() async throws {
        let scene = CacheScene { number, request in
            switch number {
            case 2: .response(.notModified, fields: [.eTag: "\"other\""])
            default:
                .response(fields: Self.minute, body: "\(number) \(request.fields[.ifNoneMatch] ?? "-")")
            }
        }
        #expect(try await scene.get() == "200 1 - network")
        scene.advance(61)
        #expect(try await scene.get() == "200 3 - network")
        #expect(try await scene.get() == "200 3 - cached 0")
    }

    @Test func `policies are obeyed`() async throws {
        let scene = CacheScene { number, request in
            if request.fields[.ifNoneMatch] != nil { return .response(.notModified) }
            return .response(fields: Self.minute, body: "\(number) \(request.fields[.cacheControl] ?? "-")")
        }
        let request = Request(url: testURL)
        let missing = await scene.client.failure(request.cache(.onlyCached))
        guard case .notCached? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(scene.requests.isEmpty)
        #expect(try await scene.get(request.cache(.returnCachedElseLoad)) == "200 1 - network")
        #expect(try await scene.get(request.cache(.onlyCached)) == "200 1 - cached 0")
        #expect(try await scene.get(request.cache(.revalidate)) == "200 1 - revalidated 0")
        #expect(try await scene.get(request.cache(.reload)) == "200 3 no-cache network")
        #expect(try await scene.get() == "200 3 no-cache cached 0")
        scene.advance(100)
        #expect(try await scene.get(request.cache(.onlyCached)) == "200 3 no-cache stale 100")
        #expect(try await scene.get(request.cache(.returnCachedElseLoad)) == "200 3 no-cache stale 100")
        #expect(try await scene.get(request.cache(.useProtocol)) == "200 3 no-cache revalidated 0")
    }

    @Test func `conditions of the caller's own go through untouched`() async throws {
        let scene = CacheScene { _, request in
            if request.fields[.ifNoneMatch] != nil { return .response(.notModified, fields: Self.minute) }
            return .response(fields: Self.minute, body: "all")
        }
        #expect(try await scene.get() == "200 all network")
        #expect(try await scene.get(Request(url: testURL).header(.ifNoneMatch, "\"a\"")) == "304  network")
        #expect(try await scene.get() == "200 all cached 0")
    }

    @Test func `unsafe methods forget what they change, and what they name of the same origin`() async throws {
        let scene = CacheScene { number, request in
            switch request.method {
            case .post where request.target == "/fail": .response(.internalServerError)
            case .post: .response(.created, fields: [.location: "/other", .contentLocation: "http://elsewhere/third"])
            default: .response(fields: Self.minute, body: "\(number)")
            }
        }
        let urls = ["http://test/", "http://test/other", "http://elsewhere/third", "http://test/fail"]
        for url in urls { _ = try await scene.get(Request(.get, url)) }
        _ = try await scene.get(Request(.post, "http://test/").body(data: Data("x".utf8)))
        _ = try await scene.get(Request(.post, "http://test/fail").body(data: Data("x".utf8)))
        var words: [String] = []
        for url in urls { words.append(try await scene.get(Request(.get, url))) }
        #expect(words == ["200 7 network", "200 8 network", "200 3 cached 0", "200 4 cached 0"])
    }

    @Test func `a place that is named is forgotten, however its escapes and its bytes are written`() async throws {
        let scene = CacheScene { number, request in
            guard request.method == .post else { return .response(fields: Self.minute, body: "\(number)") }
            return .raw(
                "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nLocation: /a[0]%20b\r\nContent-Location: c|%20\r\n\r\n"
            )
        }
        let urls = ["http://test/a[0]%20b", "http://test/c|%20"]
        for url in urls { _ = try await scene.get(Request(.get, url)) }
        _ = try await scene.get(Request(.post, "http://test/"))
        for url in urls { #expect(try await scene.get(Request(.get, url)).hasSuffix("network")) }
    }

    @Test func `variants are told apart`() async throws {
        let scene = CacheScene { number, request in
            var fields = Self.minute
            fields[.vary] = "Accept-Language"
            return .response(fields: fields, body: "\(number) \(request.fields[.acceptLanguage] ?? "-")")
        }
        let (german, english) = (
            Request(url: testURL).header(.acceptLanguage, "de"), Request(url: testURL).header(.acceptLanguage, "en")
        )
        #expect(try await scene.get(german) == "200 1 de network")
        #expect(try await scene.get(english) == "200 2 en network")
        #expect(try await scene.get(german) == "200 1 de cached 0")
        #expect(try await scene.get(english) == "200 2 en cached 0")
        #expect(try await scene.get() == "200 3 - network")
        #expect(try await scene.entryCount() == 3)
    }

    @Test func `Vary: * is never used again`() async throws {
        let scene = CacheScene { number, _ in
            .response(fields: [.cacheControl: "max-age=60", .vary: "*"], body: "\(number)")
        }
        #expect(try await scene.get() == "200 1 network")
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.entryCount() == 0)
    }

    @Test func `what one user is told is not told to another`() async throws {
        let scene = CacheScene { number, request in
            .response(fields: Self.minute, body: "\(number) \(request.fields[.authorization] ?? "-")")
        }
        func request(_ token: String) -> Request { Request(url: testURL).credential(Credential(token: token)) }
        #expect(try await scene.get(request("anna")) == "200 1 Bearer anna network")
        #expect(try await scene.get(request("bert")) == "200 2 Bearer bert network")
        #expect(try await scene.get() == "200 3 - network")
        #expect(try await scene.get(request("anna")) == "200 1 Bearer anna cached 0")
        let own = Request(url: testURL).header(.authorization, "Bearer carl")
        #expect(try await scene.get(own) == "200 4 Bearer carl network")
        #expect(try await scene.get(own) == "200 4 Bearer carl cached 0")
    }

    @Test func `HEAD is answered by what GET stored, and refreshes it`() async throws {
        let scene = CacheScene { number, request in
            guard request.method == .head else { return .response(fields: Self.minute, body: "\(number)") }
            return .response(fields: [.eTag: number < 4 ? "\"a\"" : "\"b\"", .cacheControl: "max-age=60"], body: "1")
        }
        let head = Request(.head, "http://test/")
        #expect(try await scene.get(head) == "200  network")
        #expect(try await scene.entryCount() == 0)
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.get(head) == "200  cached 0")
        scene.advance(61)
        #expect(try await scene.get(head) == "200  network")
        #expect(try await scene.get() == "200 2 cached 0")
        scene.advance(61)
        #expect(try await scene.get(head) == "200  network")
        #expect(try await scene.entryCount() == 0)
    }

    @Test func `redirects are cached, too`() async throws {
        let scene = CacheScene { number, request in
            request.target == "/"
                ? .response(.movedPermanently, fields: [.location: "/new", .cacheControl: "max-age=60"])
                : .response(fields: [.cacheControl: "no-store"], body: "\(number)")
        }
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.get() == "200 3 network")
        #expect(scene.requests.map(\.target) == ["/", "/new", "/new"])
    }
}
