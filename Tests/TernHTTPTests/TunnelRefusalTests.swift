// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernAuthentication
import TernConnections
import TernErrors
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Proxies that make no tunnel", .hangLimit)
struct TunnelRefusalTests {
    @Test(arguments: [400, 403, 404, 429, 500, 502, 503, 504, 300, 302, 401])
    func `a status that is no 2xx is a refusal`(_ status: Int) async throws {
        let page = "HTTP/1.1 \(status) No\r\nLocation: https://test/\r\nContent-Length: 3\r\n\r\nno!"
        let scene = Scene.proxied(steps: [.respond(.raw(page))])
        let failure = try #require(await scene.failure(of: .secure))
        guard case .proxyFailed(.refused(let refused), let context) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(refused == status)
        #expect(context.phase == .proxy)
        #expect(context.origin == "https://test:443")
        #expect(context.response?.status.code == status)
        #expect(scene.connector.attemptCount == 1)
        #expect(scene.server.requests.map(\.method) == [.connect])
        scene.expectNoLeak(idle: 0)
    }

    @Test(
        arguments: [
            ("SSH-2.0-OpenSSH_9.2p1\r\n", Ending(.proxyViolation("RFC 9112 §4"), in: .proxy)),
            ("\u{5}\u{1}", Ending(.proxyViolation("RFC 9112 §4"), in: .proxy)),
            ("", Ending(.connectionLost(.closed), in: .proxy)),
            ("HTTP/1.1 200 Conn", Ending(.connectionLost(.closed), in: .proxy)),
            ("HTTP/1.1 200 OK\r\nVia: x\r\n", Ending(.connectionLost(.closed), in: .proxy)),
            ("HTTP/1.1 100 Continue\r\n\r\n", Ending(.connectionLost(.closed), in: .proxy)),
            ("HTTP/3.0 200 OK\r\n\r\n", Ending(.proxyViolation("RFC 9112 §2.3"), in: .proxy)),
            ("HTTP/1.1 2000 OK\r\n\r\n", Ending(.proxyViolation("RFC 9112 §4"), in: .proxy)),
            ("HTTP/1.1 200 OK\r\nVia: a\rb\r\n\r\n", Ending(.proxyViolation("RFC 9112 §2.2"), in: .proxy)),
            ("HTTP/1.1 407 Who\r\nContent-Length : 1\r\n\r\n!", Ending(.proxyViolation("RFC 9112 §5.1"), in: .proxy)),
            ("HTTP/1.1 200 OK\r\nVia: a\0b\r\n\r\n", Ending(.proxyViolation("RFC 9110 §5.5"), in: .proxy)),
            ("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", Ending(.proxyViolation("RFC 9110 §15.2.2"), in: .proxy)),
            ("HTTP/1.1 502 No\r\nTransfer-Encoding: xyz\r\n\r\n", Ending(.proxyViolation("RFC 9112 §6.1"), in: .proxy)),
            (
                "HTTP/1.1 407 Who\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                Ending(.proxyViolation("RFC 9112 §6.3"), in: .proxy)
            ),
            (
                "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                Ending(.proxyViolation("RFC 9110 §9.3.6"), in: .proxy)
            ),
            ("HTTP/1.1 200 OK\r\n\r\n\u{16}", Ending(.proxyViolation("RFC 9110 §9.3.6"), in: .proxy)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", Ending(.proxyViolation("RFC 9110 §9.3.6"), in: .proxy)),
        ]
    )
    func `an answer that is wrong ends the call`(_ answer: String, _ ending: Ending) async throws {
        let scene = Scene.proxied(steps: [.respond(.raw(answer, ending: .close))])
        #expect(await scene.failure(of: .secure)?.ending == ending)
        #expect(scene.server.requests.count == 1)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `an endless head, and endless interim responses, come to an end`() async throws {
        for piece in ["A: \(String(repeating: "b", count: 1000))\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 "] {
            let scene = Scene.proxied(
                steps: [.receive] + Array(repeating: .send(.raw("HTTP/1.1 100 Continue\r\n" + piece)), count: 1)
                    + Array(repeating: .send(.raw(piece)), count: 400)
            )
            let failure = await scene.failure(of: .secure)
            guard case .proxyFailed(.violation, let context) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(context.phase == .proxy)
            scene.expectNoLeak(idle: 0)
        }
    }

    @Test func `a proxy that is not there, or is not trusted`() async throws {
        let absent = Scene.proxied(steps: [], plan: .refuse(.notConnected(.refused)))
        for url in ["http://test/", "https://test/"] {
            let failure = await absent.failure(of: Request(.get, url))
            #expect(failure?.context.phase == .proxy)
            #expect(failure?.isConnectivity == true)
        }
        let proxy = Proxy(.https, host: "proxy", port: 443)
        for url in ["http://test/", "https://test/"] {
            let scene = DistrustingScene(proxy, distrusted: "proxy")
            #expect(await scene.failure(of: url)?.ending == Ending(.tlsFailed(.certificateExpired()), in: .proxy))
            #expect(scene.connector.openCount == 0)
        }
        let scene = DistrustingScene(proxy, distrusted: "test")
        #expect(
            await scene.failure(of: "https://test/")?.ending == Ending(.tlsFailed(.certificateExpired()), in: .tls)
        )
        #expect(await scene.failure(of: "http://test/") == nil)
    }
}

/// A transport whose proxy and servers use TLS, and one of which has a bad certificate.
private struct DistrustingScene {
    let connector: MemoryConnector
    let transport: HTTPTransport
    let clock = ManualClock()

    init(_ proxy: Proxy, distrusted: String) {
        let server = ScriptedServer { $0.method == .connect ? .raw(Scene.established) : .response(body: "fine") }
        self.connector = MemoryConnector(
            server,
            clock: self.clock,
            trust: { .init(host: $0, chain: [[1]], evaluation: $0 == distrusted ? .certificateExpired() : nil) }
        )
        let configuration = HTTPTransportConfiguration(router: Router(.proxy(proxy)))
        self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
    }

    func failure(of url: String) async -> ClientError? {
        do {
            let request = Request(.get, url)
            let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: self.clock)
            let reply = try await self.transport.respond(to: call)
            // The TLS facts of the response are those of the server, and not those of the proxy.
            #expect((reply.response.tls != nil) == url.hasPrefix("https"))
            _ = try await reply.body.text()
            return nil
        } catch {
            return error as? ClientError
        }
    }
}
