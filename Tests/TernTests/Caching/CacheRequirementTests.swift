// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests requirements of RFC 9111 that show only in the requests that the client sends, and in its responses.
@Suite("Caching: requirements", .hangLimit)
struct CacheRequirementTests {
    @Test(arguments: ["must-revalidate", "no-cache"])
    func `5.2.2.2, 5.2.2.4: without a connection it is an error, and never the stale response`(
        directive: String
    ) async throws {
        let scene = CacheScene { number, _ in
            number == 1
                ? .response(fields: [.cacheControl: "max-age=60, stale-if-error=999, \(directive)", .eTag: "\"a\""])
                : .raw("", ending: .reset)
        }
        #expect(try await scene.get() == "200  network")
        scene.advance(61)
        for policy in [CachePolicy.useProtocol, .returnCachedElseLoad] {
            let error = await scene.client.failure(Request(url: testURL).cache(policy))
            #expect(error?.isConnectivity == true)
        }
        #expect(await scene.client.failure(Request(url: testURL).header(.cacheControl, "max-stale")) != nil)
    }

    @Test func `3.1: trailer fields do not become header fields`() async throws {
        let scene = CacheScene { _, _ in
            .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nCache-Control: max-age=60\r\nX-Head: 1\r\n\r\n"
                    + "1\r\nx\r\n0\r\nX-Trail: 1\r\nX-Head: 2\r\n\r\n"
            )
        }
        #expect(try await scene.get() == "200 x network")
        let (_, response) = try await scene.client.data(from: testURL)
        #expect(response.cacheStatus == .cached(age: .zero))
        #expect(response.fields.map(\.name.canonicalName).contains("x-trail") == false)
        #expect(try response.fields[values: #require(HTTPField.Name("X-Head"))] == ["1"])
    }

    @Test func `4: of two that match, the one with the later Date, not the one that came later`() async throws {
        let scene = CacheScene { number, _ in
            .response(
                fields: [
                    .vary: number == 1 ? "Accept" : "Accept-Language", .cacheControl: "max-age=600",
                    .date: HTTPDate(secondsSince1970: 1_767_225_600 - (number == 1 ? 0 : 50)).description,
                ],
                body: "\(number)"
            )
        }
        let german = Request(url: testURL).header(.acceptLanguage, "de")
        let request = german.header(.accept, "text/plain")
        #expect(try await scene.get(request) == "200 1 network")
        #expect(try await scene.get(german.header(.accept, "text/html")) == "200 2 network")
        #expect(try await scene.entryCount() == 2)
        #expect(try await scene.get(request) == "200 1 cached 0")
    }

    @Test func `3: an answer without Vary takes the place of one with it that the same request was answered by`()
        async throws
    {
        let scene = CacheScene { number, _ in
            let fields: HTTPFields = [.cacheControl: "max-age=\(number == 1 ? 2 : 600)", .eTag: "\"\(number)\""]
            return .response(fields: number == 1 ? fields + [.vary: "Accept"] : fields, body: "\(number)")
        }
        #expect(try await scene.get() == "200 1 network")
        scene.advance(3)
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.entryCount() == 1)
        #expect(try await scene.get() == "200 2 cached 0")
    }

    @Test func `4.1: what was stored without Vary does not stand before what has it`() async throws {
        let scene = CacheScene { number, request in
            var fields: HTTPFields = [.cacheControl: "max-age=600"]
            if request.fields[.acceptLanguage] != nil { fields[.vary] = "Accept-Language" }
            return .response(fields: fields, body: "\(number)")
        }
        let german = Request(url: testURL).header(.acceptLanguage, "de")
        #expect(try await scene.get(german) == "200 1 network")
        #expect(try await scene.get(Request(url: testURL)) == "200 2 network")
        #expect(try await scene.get(german) == "200 1 cached 0")
    }

    @Test func `4.3.1, 5.2.1.1: a validation sends the tag as it came, and max-age as a token`() async throws {
        let scene = CacheScene { number, _ in
            number == 1
                ? .response(fields: [.cacheControl: "max-age=60", .eTag: "W/\"a,b\""]) : .response(.notModified)
        }
        _ = try await scene.get()
        _ = try await scene.get(Request(url: testURL).cache(.revalidate))
        #expect(scene.requests.last?.fields[.ifNoneMatch] == "W/\"a,b\"")
        #expect(scene.requests.last?.fields[.cacheControl] == "max-age=0")
    }

    @Test func `5.2.1.1: max-age=0 asks the server, even for what came in this second`() async throws {
        let scene = CacheScene { number, request in
            guard request.fields[.ifNoneMatch] == nil else { return .response(.notModified, fields: [.eTag: "\"a\""]) }
            return .response(fields: [.cacheControl: "max-age=60", .eTag: "\"a\""], body: "\(number)")
        }
        let request = Request(url: testURL).header(.cacheControl, "max-age=0")
        #expect(try await scene.get() == "200 1 network")
        #expect(try await scene.get(request) == "200 1 revalidated 0")
        #expect(try await scene.get(request.cache(.useProtocol, collapses: true)) == "200 1 revalidated 0")
        #expect(scene.requests.count == 3)
        #expect(scene.requests.last?.fields[.cacheControl] == "max-age=0")
        #expect(try await scene.get() == "200 1 cached 0")
    }

    @Test func `5.2.1.5: the answer to a request with no-store is not stored, and what was is left alone`() async throws
    {
        let scene = CacheScene { number, _ in .response(fields: [.cacheControl: "max-age=60"], body: "\(number)") }
        let request = Request(url: testURL).header(.cacheControl, "no-store")
        #expect(try await scene.get(request) == "200 1 network")
        #expect(try await scene.entryCount() == 0)
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.get(request) == "200 3 network")
        #expect(try await scene.get() == "200 2 cached 0")
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
    func `4: an unsafe request goes to the server, whatever is stored`(_ method: HTTPRequest.Method) async throws {
        let scene = CacheScene { number, _ in .response(fields: [.cacheControl: "max-age=60"], body: "\(number)") }
        #expect(try await scene.get() == "200 1 network")
        #expect(try await scene.get(Request(method, "http://test/").cache(.returnCachedElseLoad)) == "200 2 network")
        #expect(try await scene.get() == "200 3 network")
    }
}
