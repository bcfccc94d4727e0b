// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernProxies
import TernRequests
import TernTransport
import Testing

@Suite("Router")
struct RouterTests {
    private static let variables = [
        "http_proxy": "http://plain:1", "https_proxy": "socks5://secure:2",
        "no_proxy": "direct.test,10.0.0.0/8,port.test:81",
        "HTTP_PROXY": "http://never:9",
    ]

    private func route(
        _ url: String,
        _ router: Router = Router(.environment, environment: Self.variables),
        _ change: (inout Request) -> Void = { _ in }
    ) throws -> Route {
        var request = Request(.get, url)
        change(&request)
        let destination = try request.destination()
        return try router.route(for: HTTPCall(request, to: destination, timeouts: .none, clock: SystemClock()))
    }

    @Test func `the environment says which way, by scheme and host`() throws {
        let (plain, secure) = (Proxy(.http, host: "plain", port: 1), Proxy(.socks5, host: "secure", port: 2))
        #expect(try self.route("http://test/") == .forward(plain))
        #expect(try self.route("https://test/") == .tunnel(secure))
        for url in ["http://direct.test/", "https://a.direct.test/", "http://10.1.2.3/", "http://port.test:81/"] {
            #expect(try self.route(url) == .direct)
        }
        #expect(try self.route("http://port.test/") == .forward(plain))
        for url in ["http://localhost/", "https://127.0.0.1/", "http://[::1]/", "http://a.localhost/"] {
            #expect(try self.route(url) == .direct)
        }
        #expect(try self.route("http://test/") { $0.fields[.upgrade] = "websocket" } == .tunnel(plain))
        #expect(try self.route("http://test/") { $0.options.unixSocketPath = "/run/x" } == .direct)
    }

    @Test func `a request has the last word`() throws {
        let own = Proxy(.https, host: "own", port: 3)
        #expect(try self.route("http://test/") { $0 = $0.proxy(.direct) } == .direct)
        #expect(try self.route("http://direct.test/") { $0 = $0.proxy(.proxy(own)) } == .forward(own))
        #expect(try self.route("https://test/", Router()) { $0 = $0.proxy(.proxy(own)) } == .tunnel(own))
        let router = Router(.direct, environment: Self.variables)
        #expect(try self.route("http://test/", router) == .direct)
        let environment = Route.forward(Proxy(.http, host: "plain", port: 1))
        #expect(try self.route("http://test/", router) { $0 = $0.proxy(.environment) } == environment)
    }

    @Test func `a route is resolved once, until the call leads elsewhere`() throws {
        let request = Request(.get, "http://test/")
        var call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
        // No environment variable leads to this route, so it marks the resolved answer.
        let resolved = Route.tunnel(Proxy(.http, host: "resolved", port: 9))
        call.resolvedRoute = ResolvedRoute(resolved, for: call)
        let router = Router(.environment, environment: Self.variables)
        call.request.fields[.accept] = "text/plain"
        #expect(try router.route(for: call) == resolved)

        call.request.fields[.upgrade] = "websocket"  // whether a call offers an upgrade is known from its beginning
        #expect(try router.route(for: call) == resolved)
        var direct = call
        direct.request = direct.request.proxy(.direct)
        #expect(try router.route(for: direct) == .direct)
        var local = call
        local.request.options.unixSocketPath = "/run/x"
        #expect(try router.route(for: local) == .direct)
        call.destination = try Request(.get, "http://direct.test/").destination()
        #expect(try router.route(for: call) == .direct)
    }

    @Test func `a proxy that cannot be understood is an error, not a way past it`() throws {
        let router = Router(.environment, environment: ["http_proxy": "ftp://u:s3cr3t@proxy/"])
        let error = #expect(throws: (any Error).self) { try self.route("http://test/", router) }
        #expect(!"\(String(describing: error))".contains("s3cr3t"))
        #expect(try self.route("https://test/", router) == .direct)
    }
}
