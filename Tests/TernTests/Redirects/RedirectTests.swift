// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Redirects", .hangLimit)
struct RedirectTests {
    /// A server that redirects from `/n` to `/n-1`, and from `/here` to itself.
    private static let stairs: ScriptedServer.Answer = { request in
        if request.target == "/here" { return .response(.found, fields: [.location: "/here"]) }
        guard let number = Int(request.target.dropFirst()), number > 0 else { return .response(body: request.target) }
        return .response(.found, fields: [.location: "/\(number - 1)"], body: "moved")
    }

    private func reason(_ client: Client, _ request: Request) async -> RedirectFailure? {
        let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
        guard case .redirectFailed(let reason, let context)? = error else { return nil }
        #expect(context.phase == .redirect)
        #expect(context.response?.status.kind == .redirection)
        return reason
    }

    @Test func `redirects are followed on one connection, and the response has their history`() async throws {
        let scene = ClientScene(answer: Self.stairs)
        let (data, response) = try await scene.client.data(for: Request(.get, "http://test/3"))
        #expect(String(decoding: data, as: UTF8.self) == "/0")
        #expect(response.url.absoluteString == "http://test/0")
        #expect(response.redirects.map(\.url.path) == ["/3", "/2", "/1"])
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `the server gets the target as its Location has it`() async throws {
        let scene = ClientScene { request in
            request.target == "/"
                ? .response(.found, fields: [.location: "/a[1]?b[]=%zz&c='"]) : .response(body: request.target)
        }
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "/a[1]?b[]=%zz&c=%27")
        #expect(response.url.absoluteString == "http://test/a%5B1%5D?b%5B%5D=%25zz&c=%27")
    }

    @Test func `a delegate's own URL has its own target, and an unchanged one that of the Location`() async throws {
        let scene = ClientScene { request in
            request.target == "/"
                ? .response(.found, fields: [.location: "/a[1]?b[]=%zz&c='"]) : .response(body: request.target)
        }
        let unchanged = AnsweringDelegate(redirected: { request, _ in .follow(request.header(.accept, "text/plain")) })
        let own = AnsweringDelegate(redirected: { _, _ in .follow(Request(.get, "http://test/own?d=1")) })
        for (delegate, target) in [(unchanged, "/a[1]?b[]=%zz&c=%27"), (own, "/own?d=1")] {
            let (data, _) = try await scene.client.data(from: testURL, delegate: delegate)
            #expect(String(decoding: data, as: UTF8.self) == target)
        }
    }

    @Test func `there is a limit, which a request may change`() async throws {
        let scene = ClientScene(answer: Self.stairs)
        #expect(await self.reason(scene.client, Request(.get, "http://test/21")) == .tooMany(limit: 20))
        let (_, response) = try await scene.client.data(for: Request(.get, "http://test/20"))
        #expect(response.redirects.count == 20)
        let few = Request(.get, "http://test/3").redirects(RedirectPolicy(maximumCount: 2))
        #expect(await self.reason(scene.client, few) == .tooMany(limit: 2))
    }

    @Test func `a circle is noticed before the limit`() async {
        let scene = ClientScene(answer: Self.stairs)
        #expect(await self.reason(scene.client, Request(.get, "http://test/here")) == .loop)
        #expect(scene.server.requests.count == 3)
    }

    @Test func `never means that the redirect is the response, whatever its Location`() async throws {
        let scene = ClientScene { _ in .response(.found, fields: [.location: "javascript:x"], body: "moved") }
        let (data, response) = try await scene.client.data(for: Request(url: testURL).redirects(.never))
        #expect(response.statusCode == 302)
        #expect(String(decoding: data, as: UTF8.self) == "moved")
        #expect(response.redirects.isEmpty)
        guard case .invalidLocation? = await self.reason(scene.client, Request(url: testURL)) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func `the same origin only means that one elsewhere is the response`() async throws {
        let scene = ClientScene { request in
            request.target == "/"
                ? .response(.found, fields: [.location: "/next"])
                : .response(.found, fields: [.location: "http://elsewhere/"])
        }
        let (_, response) = try await scene.client.data(for: Request(url: testURL).redirects(.sameOrigin))
        #expect(response.statusCode == 302)
        #expect(response.redirects.count == 1)
        #expect(scene.connector.endpoints == [.host("test", port: 80)])
    }

    @Test func `from https to http is refused unless it is allowed`() async throws {
        let scene = ClientScene { request in
            request.target == "/" ? .response(.found, fields: [.location: "http://test/plain"]) : .response(body: "x")
        }
        let request = Request(.get, "https://test/")
        #expect(await self.reason(scene.client, request) == .insecure)
        let allowed = request.redirects(RedirectPolicy(allowsInsecure: true))
        #expect(try await scene.client.data(for: allowed).1.url.absoluteString == "http://test/plain")
    }

    @Test func `a redirect whose body is late holds no connection that the next request needs`() async throws {
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = ClientScene(configuration) { request in
            guard request.target == "/" else { return .response(body: "there") }
            return .raw("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        }
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "there")
    }

    @Test func `the history shows no name and no password`() async throws {
        let scene = ClientScene(answer: Self.stairs)
        let (_, response) = try await scene.client.data(for: Request(.get, "http://eve:secret@test/1"))
        #expect(response.redirects.map(\.url.absoluteString) == ["http://test/1"])
    }

    @Test func `the Host at another origin is that origin's`() async throws {
        let scene = ClientScene { request in
            switch request.target {
            case "/": .response(.found, fields: [.location: "/again"])
            case "/again": .response(.temporaryRedirect, fields: [.location: "http://other.test:81/there"])
            default: .response()
            }
        }
        _ = try await scene.client.data(for: Request(url: testURL).header("Host", "own.test"))
        #expect(
            scene.server.requests.map(\.hosts) == [["own.test"], ["own.test"], ["other.test:81"]]
        )
    }

    @Test func `bytes of a Location that are not UTF-8 are sent as they are, encoded`() async throws {
        let location = Array("/caf".utf8) + [0xE9]
        let scene = ClientScene { request in
            guard request.target == "/" else { return .response() }
            let head = Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ".utf8) + location
            return ScriptedResponse(head: head + Array("\r\n\r\n".utf8))
        }
        _ = try await scene.client.data(from: testURL)
        #expect(scene.server.requests.map(\.target) == ["/", "/caf%E9"])
    }

    @Test func `a redirect with an empty Location is the response`() async throws {
        let scene = ClientScene { _ in .response(.found, fields: [.location: ""], body: "moved") }
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(response.statusCode == 302 && String(decoding: data, as: UTF8.self) == "moved")
        #expect(scene.server.requests.count == 1)
    }

    @Test(arguments: ["ws://test/", "wss://test/"])
    func `a WebSocket is no place for any other request`(_ location: String) async {
        let scene = ClientScene { _ in .response(.found, fields: [.location: location]) }
        guard case .invalidLocation? = await self.reason(scene.client, Request(url: testURL)) else {
            Issue.record("not refused")
            return
        }
        #expect(scene.server.requests.count == 1)
    }

    @Test(arguments: ["http://good.example\\@evil.example/", "//good.example\\@evil.example/"])
    func `a Location with a backslash before its path is refused`(_ location: String) async {
        let scene = ClientScene { _ in .response(.found, fields: [.location: location]) }
        guard case .invalidLocation? = await self.reason(scene.client, Request(url: testURL)) else {
            Issue.record("not refused")
            return
        }
        #expect(scene.connector.endpoints == [.host("test", port: 80)])
    }

    @Test func `a body is sent again where the method stays`() async throws {
        let scene = ClientScene { request in
            request.target == "/"
                ? .response(.temporaryRedirect, fields: [.location: "/x"]) : .response(bytes: request.body)
        }
        let (data, _) = try await scene.client.upload(for: Request(.put, "http://test/"), from: Data("again".utf8))
        #expect(String(decoding: data, as: UTF8.self) == "again")
    }
}
