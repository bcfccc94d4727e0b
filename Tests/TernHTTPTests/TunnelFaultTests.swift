// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests that a call ends and leaves nothing behind, for every fault while a tunnel opens.
@Suite("Tunnels: faults", .hangLimit)
struct TunnelFaultTests {
    private static let open = ScriptedServer.Step.respond(.raw(Scene.established))
    private static let limit = Timeouts(connect: .seconds(3), connection: nil, firstByte: nil, idle: nil)

    private func scene(_ faults: Adversity..., authorizer: ScriptedAuthorizer? = nil) -> Scene {
        Scene.proxied(
            steps: [Self.open, .respond(.response(body: "fine"))],
            plan: .accept(toClient: faults),
            authorizer: authorizer
        )
    }

    @Test(arguments: 0..<Scene.established.utf8.count)
    func `an answer that is cut or reset at any byte`(_ offset: Int) async throws {
        for fault in [
            Adversity.cut(afterByteCount: offset), .reset(afterByteCount: offset), .halfClose(afterByteCount: offset),
        ] {
            let scene = self.scene(fault)
            let failure = await scene.failure(of: .secure)
            guard case .connectionLost(_, let context) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(context.phase == .proxy)
            #expect(failure?.isRetryable == true)
            #expect(scene.connector.attemptCount == 1)
            scene.expectNoLeak(idle: 0)
        }
    }

    @Test(arguments: [0, 1, 12, Scene.established.utf8.count - 1])
    func `an answer that stalls ends with the limit for connecting`(_ offset: Int) async throws {
        let scene = self.scene(.stall(afterByteCount: offset))
        let calling = Task { await scene.failure(of: .secure, timeouts: Self.limit) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        scene.clock.advance(by: .seconds(3))
        #expect(await calling.value?.ending == .timedOut(.connect, after: .seconds(3), in: .proxy))
        scene.expectNoLeak(idle: 0)
        #expect(scene.clock.scheduledCount == 0)
    }

    @Test func `the whole call's limit holds in a tunnel, too`() async throws {
        let scene = self.scene(.stall(afterByteCount: 5))
        let timeouts = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: nil, call: .seconds(4))
        let calling = Task { await scene.failure(of: .secure, timeouts: timeouts) }
        try await scene.clock.waitForScheduled(in: .seconds(4))
        scene.clock.advance(by: .seconds(4))
        #expect(await calling.value?.ending == .timedOut(.call, after: .seconds(4), in: .proxy))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `after a challenge the limit for connecting begins anew`() async throws {
        var configuration = HTTPTransportConfiguration(router: Router(.proxy(Proxy(.http, host: "proxy", port: 80))))
        configuration.tunnelAuthorizer = ScriptedAuthorizer(nil, "Basic YTph")
        let (isLate, isAnswered) = (Flag(), Flag())
        let scene = Scene(ScriptedServer(steps: []), configuration) { connection in
            _ = try await connection.readHead()
            await isLate.wait()
            try await connection.write(Scene.whoAsks.head)
            _ = try await connection.readHead()
            isAnswered.raise()
            await connection.waitForEnd()
        }
        let calling = Task { await scene.failure(of: .secure, timeouts: Self.limit) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        scene.clock.advance(by: .seconds(2))
        isLate.raise()
        await isAnswered.wait()
        scene.clock.advance(by: .seconds(3))
        let failure = await calling.value
        #expect(failure?.ending == .timedOut(.connect, after: .seconds(3), in: .proxy))
        #expect(failure?.context.elapsed == .seconds(5))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a challenge whose text stalls ends with the limit`() async throws {
        let stalling = "HTTP/1.1 407 Who\r\nContent-Length: 9\r\n\r\nwho"
        let scene = Scene.proxied(
            steps: [.respond(.raw(stalling, ending: .stall))],
            authorizer: ScriptedAuthorizer(nil, "Basic YTph")
        )
        let calling = Task { await scene.failure(of: .secure, timeouts: Self.limit) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        scene.clock.advance(by: .seconds(3))
        #expect(await calling.value?.ending == .timedOut(.connect, after: .seconds(3), in: .proxy))
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [0, 10, Scene.established.utf8.count - 1])
    func `a call that is cancelled leaves nothing`(_ offset: Int) async throws {
        let scene = self.scene(.stall(afterByteCount: offset))
        let calling = Task { await scene.failure(of: .secure, timeouts: Self.limit) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .proxy))
        scene.expectNoLeak(idle: 0)
        #expect(scene.clock.scheduledCount == 0)
    }

    @Test func `cancelling while the proxy is not reached`() async throws {
        let scene = Scene.proxied(steps: [Self.open], plan: .hang)
        let calling = Task { await scene.failure(of: .secure) }
        try await scene.connector.waitForAttempts(1)
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .proxy))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a proxy that is not reached, or hangs after a challenge`() async throws {
        let hanging = Scene.proxied(steps: [Self.open], plan: .hang)
        let calling = Task { await hanging.failure(of: .secure, timeouts: Self.limit) }
        try await hanging.clock.waitForScheduled(in: .seconds(3))
        hanging.clock.advance(by: .seconds(3))
        #expect(await calling.value?.ending == .timedOut(.connect, after: .seconds(3), in: .proxy))

        let closing = ScriptedResponse.raw("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n", ending: .close)
        let scene = Scene.proxied(steps: [.respond(closing)], authorizer: ScriptedAuthorizer(nil, "Basic YTph"))
        scene.connector.plan(.accept(), .refuse(.notConnected(.refused)))
        let failure = await scene.failure(of: .secure)
        #expect(failure?.ending == Ending(.connectionFailed(.refused), in: .proxy))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `calls that wait get the place of one whose tunnel failed`() async throws {
        var configuration = HTTPTransportConfiguration(router: Router(.proxy(Proxy(.http, host: "proxy", port: 80))))
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = Scene(ScriptedServer { _ in .response(.badGateway, body: "no") }, configuration)
        let endings = await withTaskGroup(of: Ending?.self) { group in
            for _ in 0..<20 { group.addTask { await scene.failure(of: .secure)?.ending } }
            return await group.reduce(into: Set<Ending?>()) { $0.insert($1) }
        }
        #expect(endings == [Ending(.proxyFailed(.refused(status: 502)), in: .proxy)])
        #expect(scene.connector.attemptCount == 20)
        scene.expectNoLeak(idle: 0)
    }
}
