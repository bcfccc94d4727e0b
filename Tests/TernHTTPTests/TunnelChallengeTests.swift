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

@Suite("Proxies that want to know who asks", .hangLimit)
struct TunnelChallengeTests {
    private static let fine = ScriptedServer.Step.respond(.response(body: "fine"))
    private static let open = ScriptedServer.Step.respond(.raw(Scene.established))
    private static let head = "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"birds\"\r\n"

    private func credentials(_ scene: Scene) -> [String?] {
        scene.server.requests.filter { $0.method == .connect }.map { $0.fields[.proxyAuthorization] }
    }

    @Test func `a credential that is known is sent at once`() async throws {
        let authorizer = ScriptedAuthorizer("Basic YTph")
        let scene = Scene.proxied(steps: [Self.open, Self.fine], authorizer: authorizer)
        #expect(try await scene.answer(to: .secure).text == "fine")
        #expect(self.credentials(scene) == ["Basic YTph"])
        #expect(scene.server.requests.last?.fields[.proxyAuthorization] == nil)
        #expect(authorizer.record.tunnels == ["test:443 http://proxy:8080"])
        #expect(authorizer.record.statuses == [0])
        #expect(authorizer.record.acceptedCount == 1)
    }

    @Test func `a challenge is answered on the same connection`() async throws {
        let authorizer = ScriptedAuthorizer(nil, "Basic YTph", "Basic Yjpi")
        let scene = Scene.proxied(
            steps: [.respond(Scene.whoAsks), .respond(Scene.whoAsks), Self.open, Self.fine],
            authorizer: authorizer
        )
        #expect(try await scene.answer(to: .secure).text == "fine")
        #expect(self.credentials(scene) == [nil, "Basic YTph", "Basic Yjpi"])
        #expect(scene.connector.attemptCount == 1)
        #expect(authorizer.record.statuses == [0, 407, 407])
        #expect(authorizer.record.acceptedCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a connection that one call has approved serves its next CONNECT, too`() async throws {
        let scene = Scene.proxied(
            Proxy(.https, host: "proxy", port: 443),
            steps: [.respond(Scene.whoAsks), Self.open, Self.fine],
            authorizer: ScriptedAuthorizer(nil, "Basic YTph")
        )
        let destination = try Request.secure.destination()
        let call = HTTPCall(.secure, to: destination, timeouts: .none, clock: scene.clock, decider: Approval())
        #expect(try await scene.transport.respond(to: call).body.text() == "fine")
        #expect(self.credentials(scene) == [nil, "Basic YTph"])
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 0)
    }

    @Test(
        arguments: [
            // The proxy announces the end of the connection and closes it; or only closes it; or the connection cannot
            // be reused.
            ("Content-Length: 4\r\nConnection: close\r\n\r\nwho?", ScriptedResponse.Ending.close),
            ("Content-Length: 4\r\n\r\nwho?", .close), ("Content-Length: 4\r\n\r\nwho?", .reset),
            ("Content-Length: 4\r\n\r\nwho?", .finish),
            ("Proxy-Connection: close\r\nContent-Length: 0\r\n\r\n", .close),
            ("\r\nwho?", .close), ("Content-Length: 9\r\n\r\nwho?", .close), ("Content-Length: 9\r\n\r\nwho?", .reset),
            ("Transfer-Encoding: chunked\r\n\r\n4\r\nwho", .close), ("Transfer-Encoding: chunked\r\n\r\nx\r\n", .stall),
            ("Content-Length: 4\r\n\r\nwho?more", .stall),
            ("Content-Length: 100000\r\n\r\n\(String(repeating: "?", count: 70_000))", .stall),
        ]
    )
    func `a challenge behind which nothing can follow is answered on another connection`(
        _ rest: String,
        _ ending: ScriptedResponse.Ending
    ) async throws {
        let authorizer = ScriptedAuthorizer(nil, "Basic YTph")
        let scene = Scene.proxied(
            steps: [.respond(.raw(Self.head + rest, ending: ending))],
            [Self.open, Self.fine],
            authorizer: authorizer
        )
        #expect(try await scene.answer(to: .secure).text == "fine")
        #expect(self.credentials(scene).last == "Basic YTph")
        #expect(scene.connector.attemptCount == 2)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a connection that is closed while the credential is sought is replaced`() async throws {
        let authorizer = ScriptedAuthorizer(nil, "Basic YTph")
        let scene = Scene.proxied(
            steps: [.respond(Scene.whoAsks), .receive, .send(.close)],
            [Self.open, Self.fine],
            authorizer: authorizer
        )
        #expect(try await scene.answer(to: .secure).text == "fine")
        #expect(self.credentials(scene) == [nil, "Basic YTph", "Basic YTph"])
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a proxy that closes on each credential is given up`() async throws {
        let authorizer = ScriptedAuthorizer(nil, "Basic YTph", "Basic YTpi")
        let scene = Scene.proxied(
            steps: [.respond(Scene.whoAsks), .receive, .send(.close)],
            [.receive, .send(.close)],
            authorizer: authorizer
        )
        #expect(await scene.failure(of: .secure)?.ending == Ending(.connectionLost(.closed), in: .proxy))
        #expect(scene.connector.attemptCount == 2)
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [nil, ScriptedAuthorizer(), ScriptedAuthorizer(nil, nil), ScriptedAuthorizer("Basic YTph", nil)])
    func `without an answer the challenge is the failure`(_ authorizer: ScriptedAuthorizer?) async throws {
        let scene = Scene.proxied(steps: [.respond(Scene.whoAsks), Self.open], authorizer: authorizer)
        let failure = try #require(await scene.failure(of: .secure))
        #expect(failure.ending == Ending(.proxyFailed(.authenticationRequired), in: .proxy))
        #expect(failure.context.response?.headerFields[.proxyAuthenticate] == "Basic realm=\"birds\"")
        #expect(authorizer?.record.acceptedCount ?? 0 == 0)
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [true, false])
    func `a proxy that never has enough is given up`(_ isClosing: Bool) async throws {
        let ending = isClosing ? ScriptedResponse.Ending.close : .keepOpen
        let server = ScriptedServer { _ in .raw(Self.head + "Content-Length: 0\r\n\r\n", ending: ending) }
        var configuration = HTTPTransportConfiguration(router: Router(.proxy(Proxy(.http, host: "proxy", port: 80))))
        configuration.tunnelAuthorizer = TirelessAuthorizer()
        let scene = Scene(server, configuration)
        #expect(
            await scene.failure(of: .secure)?.ending == Ending(.proxyFailed(.authenticationRequired), in: .proxy)
        )
        #expect(Set(self.credentials(scene)) == ["Basic YTph"])
        #expect(scene.server.requests.count <= 16)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `an authorizer that fails ends the call`() async throws {
        let authorizer = ScriptedAuthorizer(failure: .authenticationFailed(.cancelled, .init(phase: .authenticate)))
        let scene = Scene.proxied(steps: [.respond(Scene.whoAsks), Self.open], authorizer: authorizer)
        guard case .authenticationFailed(.cancelled, _) = await scene.failure(of: .secure) else {
            Issue.record("the call did not end so")
            return
        }
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a tunnel on a credential for one call serves no other`() async throws {
        let authorizer = ScriptedAuthorizer("Basic YTph", "Basic YTph", isForOneCall: true)
        let scene = Scene.proxied(steps: [Self.open, Self.fine, Self.fine], authorizer: authorizer)
        #expect(try await scene.answer(to: .secure) == Answer(text: "fine"))
        scene.expectNoLeak(idle: 0)
        #expect(try await scene.answer(to: .secure) == Answer(text: "fine"))
        #expect(scene.connector.attemptCount == 2)
    }
}

/// An authorizer that always returns the same credential.
private struct TirelessAuthorizer: TunnelAuthorizer {
    final class Opening: TunnelAuthorization {
        let isForOneCall = false
        func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField? {
            HTTPField(name: .proxyAuthorization, value: "Basic YTph")
        }
        func accepted() async {}
    }

    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization { Opening() }
}

/// Approves every server for one call.
private final class Approval: TLSDecider {
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
        .accept(isForOneCall: true)
    }

    func identity(for request: ClientCertificateRequest) async -> IdentityDecision { .none }
}
