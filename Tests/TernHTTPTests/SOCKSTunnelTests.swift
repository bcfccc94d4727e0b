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

/// Tests SOCKS handshakes over a connection.
///
/// `TernProxiesTests` tests the meaning of the proxy's answers.
@Suite("Tunnels by SOCKS", .hangLimit)
struct SOCKSTunnelTests {
    private typealias Round = (byteCount: Int, answer: [UInt8])

    private static let open = Proxy(.socks5, host: "proxy")
    private static let closed = Proxy(.socks5, host: "proxy", user: "us", password: "pwd")
    private static let reply: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]
    /// The length of a request: version and command, the name `test`, and the port.
    private static let requestByteCount = 3 + 6 + 2
    private static let anonymous: [Round] = [(3, [5, 0]), (requestByteCount, reply)]
    private static let known: [Round] = [(4, [5, 2]), (1 + 3 + 4, [1, 0]), (requestByteCount, reply)]
    private static let limit = Timeouts(connect: .seconds(3), connection: nil, firstByte: nil, idle: nil)

    /// Returns a transport whose proxy reads a number of bytes and answers, in each round.
    ///
    /// After the last round, the connection leads to the server.
    private func scene(_ proxy: Proxy, _ rounds: [Round], plan: ConnectionPlan = .accept()) -> Scene {
        let server = ScriptedServer { _ in .response(body: "fine") }
        return Scene(server, plan: plan, HTTPTransportConfiguration(router: Router(.proxy(proxy)))) { connection in
            for round in rounds {
                _ = try await connection.readBytes(round.byteCount)
                try await connection.write(round.answer)
            }
            await server.serve(connection)
        }
    }

    @Test(arguments: ["http://test/", "https://test/"], [1, 2, 3, 4, 5, 7, 9, 100])
    func `a tunnel is opened, however the answers come, and used again`(_ url: String, _ byteCount: Int) async throws {
        for (proxy, rounds) in [(Self.open, Self.anonymous), (Self.closed, Self.known)] {
            let scene = self.scene(proxy, rounds, plan: .accept(toClient: [.drip(bytesPerPiece: byteCount)]))
            #expect(try await scene.answer(to: Request(.get, url)) == Answer(text: "fine"))
            #expect(try await scene.answer(to: Request(.get, url)) == Answer(text: "fine", isReused: true))
            #expect(scene.server.requests.map(\.target) == ["/", "/"])
            #expect(scene.connector.endpoints == [.host("proxy", port: 1080)])
            scene.expectNoLeak(idle: 1)
        }
    }

    @Test func `an answer with a name or an IPv6 address is read to its end`() async throws {
        for address in [[3, 3] + Array("abc".utf8), [4] + Array(repeating: 0, count: 16), [3, 0]] as [[UInt8]] {
            let scene = self.scene(Self.open, [(3, [5, 0]), (Self.requestByteCount, [5, 0, 0] + address + [0, 80])])
            #expect(try await scene.answer() == Answer(text: "fine"))
        }
    }

    @Test(arguments: 0..<(2 + 2 + 10))
    func `answers that are cut, reset or stall at any byte`(_ offset: Int) async throws {
        for fault in [Adversity.cut(afterByteCount: offset), .reset(afterByteCount: offset)] {
            let scene = self.scene(Self.closed, Self.known, plan: .accept(toClient: [fault]))
            let failure = await scene.failure()
            guard case .connectionLost(_, let context) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(context.phase == .proxy)
            scene.expectNoLeak(idle: 0)
        }
        let stalling = self.scene(Self.closed, Self.known, plan: .accept(toClient: [.stall(afterByteCount: offset)]))
        let calling = Task { await stalling.failure(timeouts: Self.limit) }
        try await stalling.clock.waitForScheduled(in: .seconds(3))
        stalling.clock.advance(by: .seconds(3))
        #expect(await calling.value?.ending == .timedOut(.connect, after: .seconds(3), in: .proxy))
        stalling.expectNoLeak(idle: 0)
        #expect(stalling.clock.scheduledCount == 0)
    }

    @Test func `a call that is cancelled leaves nothing`() async throws {
        let scene = self.scene(Self.open, Self.anonymous, plan: .accept(toClient: [.stall(afterByteCount: 4)]))
        let calling = Task { await scene.failure(timeouts: Self.limit) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .proxy))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a proxy that is none of SOCKS, or refuses`() async throws {
        let cases: [(Proxy, [Round], Ending)] = [
            (
                Self.open, [(3, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))],
                Ending(.proxyViolation("RFC 1928 §3"), in: .proxy)
            ),
            (Self.open, [(3, [4, 90])], Ending(.proxyViolation("RFC 1928 §3"), in: .proxy)),
            (Self.open, [(3, [5, 2])], Ending(.proxyViolation("RFC 1928 §3"), in: .proxy)),
            (Self.open, [(3, [5, 255])], Ending(.proxyFailed(.authenticationRequired), in: .proxy)),
            (Self.closed, [(4, [5, 2]), (8, [1, 1])], Ending(.proxyFailed(.authenticationRequired), in: .proxy)),
            (Self.closed, [(4, [5, 2]), (8, [5, 0])], Ending(.proxyViolation("RFC 1929 §2"), in: .proxy)),
            (Self.open, [(3, [5, 0]), (11, [5, 5])], Ending(.proxyFailed(.socks(.connectionRefused)), in: .proxy)),
            (Self.open, [(3, [5, 0]), (11, [5, 0, 1, 1])], Ending(.proxyViolation("RFC 1928 §6"), in: .proxy)),
            (Self.open, [(3, [5, 0]), (11, [5, 0, 0, 9, 0])], Ending(.proxyViolation("RFC 1928 §6"), in: .proxy)),
            // More bytes than the reply: a server must not send before the client does.
            (
                Self.open, [(3, [5, 0]), (11, Self.reply + [22])],
                Ending(.proxyViolation("RFC 9110 §9.3.6"), in: .proxy)
            ),
        ]
        for (proxy, rounds, ending) in cases {
            let scene = self.scene(proxy, rounds)
            #expect(await scene.failure()?.ending == ending)
            #expect(scene.server.requests.isEmpty)
            scene.expectNoLeak(idle: 0)
        }
    }

    @Test func `what SOCKS cannot say is not asked for`() async throws {
        let long = String(repeating: "a", count: 256)
        let proxies = [
            Proxy(.socks5, host: "proxy", user: long, password: "b"), Proxy(.socks5, host: "proxy", user: "a"),
            Proxy(.socks5, host: "proxy", user: "a", password: long),
        ]
        for proxy in proxies {
            let scene = self.scene(proxy, Self.anonymous)
            guard case .proxyFailed(.unsupported(let reason), _) = await scene.failure() else {
                Issue.record("\(proxy) was asked")
                continue
            }
            #expect(!reason.contains("aaa"))
            scene.expectNoLeak(idle: 0)
        }
    }

    @Test func `what is for an HTTP proxy is kept from the server`() async throws {
        let scene = self.scene(Self.open, Self.anonymous)
        var request = Request(.get, "http://test/")
        request.fields[.proxyAuthorization] = "Basic YTph"
        _ = try await scene.answer(to: request)
        #expect(scene.server.requests.first?.fields[.proxyAuthorization] == nil)
    }
}
