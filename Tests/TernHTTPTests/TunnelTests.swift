// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Tunnels", .hangLimit)
struct TunnelTests {
    private static let fine = ScriptedServer.Step.respond(.response(body: "fine"))

    // MARK: What is sent

    @Test func `CONNECT says whom it is for, and nothing of the request but the agent`() async throws {
        let scene = Scene.proxied(steps: [.respond(.raw(Scene.established)), Self.fine])
        var request = Request.secure
        request.fields[.userAgent] = "tern/test"
        request.fields[.authorization] = "Bearer secret"
        request.fields[.cookie] = "secret=1"
        request.fields[.accept] = "text/plain"
        #expect(try await scene.answer(to: request).text == "fine")
        let connect = try #require(scene.server.requests.first)
        #expect(connect.method == .connect)
        #expect(connect.target == "test:443")
        #expect(connect.fields.map(\.name.canonicalName) == ["host", "user-agent"])
        #expect(connect.fields.map(\.value) == ["test:443", "tern/test"])
        let get = try #require(scene.server.requests.last)
        #expect(get.target == "/")
        #expect(get.fields[.authorization] == "Bearer secret")
        #expect(get.fields[values: HTTPField.Name("Host") ?? .accept] == ["test"])
        #expect(scene.connector.endpoints == [.host("proxy", port: 8080)])
        scene.expectNoLeak(idle: 1)
    }

    @Test(
        arguments: [
            ("https://test:8443/", "test:8443"), ("https://127.0.0.1/", "127.0.0.1:443"),
            ("https://[::1]/", "[::1]:443"),
            ("https://[2001:DB8::1]:1/", "[2001:db8::1]:1"),
        ]
    )
    func `the target always has its port, and an IPv6 address its brackets`(
        _ url: String,
        _ target: String
    ) async throws {
        let scene = Scene.proxied(steps: [.respond(.raw(Scene.established)), Self.fine])
        _ = try await scene.answer(to: Request(.get, url))
        #expect(scene.server.requests.first?.target == target)
        #expect(scene.server.requests.first?.fields[HTTPField.Name("Host") ?? .accept] == target)
    }

    @Test func `what the caller tells the proxy does not reach the server`() async throws {
        let scene = Scene.proxied(steps: [.respond(.raw(Scene.established)), Self.fine])
        var request = Request.secure
        request.fields[.proxyAuthorization] = "Basic c2VjcmV0"
        _ = try await scene.answer(to: request)
        #expect(scene.server.requests.last?.fields[.proxyAuthorization] == nil)
    }

    @Test func `CONNECT takes nothing of the call's body, and reports nothing but the tunnel`() async throws {
        let answer = ScriptedResponse.raw("HTTP/1.1 103 Early Hints\r\n\r\n" + Scene.established)
        let scene = Scene.proxied(
            steps: [.respond(Scene.whoAsks), .respond(answer), Self.fine],
            authorizer: ScriptedAuthorizer(nil, "Basic YTph")
        )
        let observer = RecordingObserver()
        let request = Request(.post, "https://test/").body(data: Data("the body".utf8))
        #expect(try await scene.answer(to: request, observer: observer).text == "fine")
        #expect(scene.server.requests.map(\.text) == ["", "", "the body"])
        #expect(observer.informational.isEmpty)
        #expect(observer.sent == [8])
        #expect(observer.received == [4])
        let start = try #require(observer.milestones.firstIndex(of: .tunnelling))
        #expect(observer.milestones[(start + 1)...].first == .tunnelled)
        #expect(observer.milestones.count { $0 == .firstByte } == 1)
    }

    @Test func `a request that asks to leave HTTP goes through a tunnel, others are forwarded`() async throws {
        let scene = Scene.proxied(steps: [.respond(.raw(Scene.established)), Self.fine])
        var upgrade = Request(.get, "http://test/chat")
        upgrade.fields[.upgrade] = "websocket"
        _ = try await scene.answer(to: upgrade)
        #expect(scene.server.requests.map(\.target) == ["test:80", "/chat"])

        let forwarding = Scene.proxied(steps: [Self.fine])
        _ = try await forwarding.answer(to: Request(.get, "http://test:81/a?b"))
        #expect(forwarding.server.requests.map(\.target) == ["http://test:81/a?b"])
        #expect(forwarding.server.requests.first?.fields[HTTPField.Name("Host") ?? .accept] == "test:81")
    }

    // MARK: What opens a tunnel

    @Test(
        arguments: [
            "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 200\r\n\r\n",
            "HTTP/1.1 299 Fine\r\nConnection: close\r\n\r\n", "HTTP/1.0 200 Connection established\r\nVia: x\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            // "A client MUST ignore any Content-Length or Transfer-Encoding header fields received in a successful
            // response to CONNECT" (RFC 9110 §9.3.6).
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 204 None\r\n\r\n",
            "HTTP/1.1 200 OK\r\nProxy-Connection: close\r\n\r\n",
        ],
        [1, 7, 1000]
    )
    func `§9.3.6: any 2xx, however it comes`(_ answer: String, _ pieceByteCount: Int) async throws {
        let scene = Scene.proxied(
            steps: [.respond(.raw(answer)), Self.fine, Self.fine],
            plan: .accept(toClient: [.drip(bytesPerPiece: pieceByteCount)])
        )
        #expect(try await scene.answer(to: .secure) == Answer(text: "fine"))
        #expect(try await scene.answer(to: .secure) == Answer(text: "fine", isReused: true))
        scene.expectNoLeak(idle: 1)
    }

    // MARK: Connections

    @Test func `a tunnel is one server's, and what is forwarded shares connections`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 8080)
        let scene = Scene(
            ScriptedServer { $0.method == .connect ? .raw(Scene.established) : .response(body: "fine") },
            HTTPTransportConfiguration(router: Router(.proxy(proxy)))
        )
        for (url, isReused) in [
            ("https://test/", false), ("https://test/", true), ("https://other/", false), ("http://test/", false),
            ("http://other/", true), ("https://test:444/", false), ("https://other/", true),
        ] {
            #expect(try await scene.answer(to: Request(.get, url)).isReused == isReused, "\(url)")
        }
        scene.expectNoLeak(idle: 4)
    }

    @Test(arguments: ["http://test/", "https://test/"])
    func `two ways never share a connection`(_ url: String) async throws {
        let scene = Scene(ScriptedServer { $0.method == .connect ? .raw(Scene.established) : .response(body: "fine") })
        let ways: [ProxySelection] = [
            .direct, .proxy(Proxy(.http, host: "proxy", port: 80)), .proxy(Proxy(.http, host: "proxy", port: 81)),
            .proxy(Proxy(.https, host: "proxy", port: 80)), .proxy(Proxy(.http, host: "proxy", port: 80, user: "a")),
            .proxy(Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")),
            .proxy(Proxy(.http, host: "proxy", port: 80, user: "b", password: "b")),
            .proxy(Proxy(.http, host: "test", port: 80)),
        ]
        for isReused in [false, true] {
            for way in ways {
                let answer = try await scene.answer(to: Request(.get, url).proxy(way))
                #expect(answer.isReused == isReused, "\(way)")
            }
        }
        scene.expectNoLeak(idle: ways.count)
    }

    @Test func `what the caller tells the proxy opens a tunnel for himself`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80)
        let scene = Scene(
            ScriptedServer { $0.method == .connect ? .raw(Scene.established) : .response(body: "fine") },
            HTTPTransportConfiguration(router: Router(.proxy(proxy)), tunnelAuthorizer: ScriptedAuthorizer())
        )
        var requests = [Request.secure, .secure, .secure]
        requests[1].fields[.proxyAuthorization] = "Basic YTph"
        requests[2].fields[.proxyAuthorization] = "Basic Yjpi"
        for isReused in [false, true] {
            for request in requests { #expect(try await scene.answer(to: request).isReused == isReused) }
        }
        scene.expectNoLeak(idle: 3)
    }

    @Test func `a socket of the file system is reached directly`() async throws {
        let scene = Scene.proxied(steps: [Self.fine])
        _ = try await scene.answer(to: Request(.get, "http://test/").unixSocket(path: "/run/x"))
        #expect(scene.connector.endpoints == [.unixSocket(path: "/run/x")])
        #expect(scene.server.requests.map(\.target) == ["/"])
    }
}
