// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernProxies
import TestSupport
import Testing

@Suite("Proxies: failures", .hangLimit)
struct ProxyFailureTests {
    private func error(
        _ url: String,
        through proxy: Proxy,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> ClientError? {
        let client = try await Client.trusting {
            $0.proxy = .proxy(proxy)
            change(&$0)
        }
        return await failure { () async throws(ClientError) in
            try await client.data(for: Request(.get, url).timeouts(Timeouts.patient(connect: .patient)))
        }
    }

    @Test(arguments: Way.squids)
    func `what the proxy forbids`(_ way: Way) async throws {
        let client = try await way.makeClient()
        let (_, response) = try await client.text(Request(.get, "http://forbidden.test/"))
        #expect(response.status == .forbidden)
        let error = try await self.error("https://forbidden.test/", through: way.proxy)
        #expect(error?.fault == .proxyFailed(.refused(status: 403)))
        #expect(error?.context.origin == "https://forbidden.test:443")
        #expect(error?.isRetryable == false)
    }

    @Test func `what the SOCKS proxy forbids`() async throws {
        let proxy = try await Way.socks.proxy
        for scheme in Scheme.allCases {
            let url = "\(scheme)://127.0.0.1:\(SOCKSServer.forbiddenPort)/"
            #expect(try await self.error(url, through: proxy)?.fault == .proxyFailed(.socks(.notAllowed)))
        }
    }

    @Test(arguments: Way.allCases)
    func `a server that is not there`(_ way: Way) async throws {
        let port = try LoopbackPort()
        let fault = try await self.error("https://127.0.0.1:\(port.number)/", through: way.proxy)?.fault
        switch fault {
        case .proxyFailed(.refused(let status)): #expect(!way.isSOCKS && [502, 503, 504].contains(status))
        case .proxyFailed(.socks(let reply)): #expect(way.isSOCKS && reply == .connectionRefused)
        default: Issue.record("\(String(describing: fault))")
        }
        withExtendedLifetime(port) {}
    }

    @Test(arguments: [Proxy.Kind.http, .https, .socks5], Scheme.allCases)
    func `a proxy that is not there`(_ kind: Proxy.Kind, _ scheme: Scheme) async throws {
        let port = try LoopbackPort()
        let proxy = Proxy(kind, host: "127.0.0.1", port: port.number)
        let error = try await self.error("\(scheme)://localhost/", through: proxy)
        #expect(error?.fault == .connectionFailed(.refused))
        #expect(error?.context.phase == .proxy)
        withExtendedLifetime(port) {}
    }

    @Test(arguments: Scheme.allCases)
    func `a proxy whose certificate is not trusted`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let trust = TrustPolicy.only([nginx.root("root")])
        let error = try await self.error(nginx.url(scheme, "/hello.txt"), through: Way.https.proxy) {
            $0.tls.trust = trust
        }
        #expect(error?.fault == .tlsFailed(.unknownRoot(issuer: "CN=Tern test root")))
        #expect(error?.context.phase == .proxy)
    }

    @Test func `a server whose certificate is not trusted, behind a proxy whose is`() async throws {
        let nginx = try await Nginx.shared
        for port in [Nginx.Port.expired, .selfSigned, .wrongHost] {
            for way in [Way.https, .http, .socks] {
                let error = try await self.error(nginx.url(.https, port), through: way.proxy)
                guard case .tlsFailed? = error?.fault else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(error?.context.phase == .tls)
            }
        }
    }

    @Test func `a proxy of another kind than was said`() async throws {
        let (squid, socks) = (try await Squid.shared, try await SOCKSServer.open)
        let url = try await Apache.shared.url(.https, .open)
        // The client uses TLS with a proxy that does not support it.
        let plain = Proxy(.https, host: "localhost", port: squid.port(.open))
        #expect(try await self.error(url, through: plain)?.fault == .tlsFailed(.plainHTTP))
        // The client uses plain HTTP with a SOCKS proxy, and with a proxy that requires TLS.
        for port in [socks.port, squid.port(.tls)] {
            let error = try await self.error(url, through: Proxy(.http, host: "localhost", port: port))
            #expect(error != nil)
            #expect(error?.context.phase == .proxy)
        }
    }

    @Test func `bytes that are slipped in before TLS begins are no answer`() async throws {
        let server = try await RawServer()
        let client = try await Client.trusting {
            $0.proxy = .proxy(Proxy(.http, host: "127.0.0.1", port: server.port))
        }
        let request = Request(.get, "https://localhost:8443/").timeouts(Timeouts.patient(connect: .patient))
        let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
        guard case .proxyFailed(.violation(let section, _), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(section == "RFC 9110 §9.3.6")
        try await server.isLeft()
    }

    @Test func `a proxy that never answers is given up, and a call can be cancelled`() async throws {
        let server = try await RawServer()
        // The server waits for the end of a request head. A SOCKS client sends no head.
        let proxy = Proxy(.socks5, host: "127.0.0.1", port: server.port)
        let client = try await Client.trusting { $0.proxy = .proxy(proxy) }
        let hasty = Request(.get, "https://localhost/").timeouts(Timeouts.patient(connect: .milliseconds(100)))
        let fault = await fault { () async throws(ClientError) in try await client.data(for: hasty) }
        #expect(fault == .timedOut(.connect))
        try await server.isLeft()

        let calling = Task {
            await ClientTestSupport.fault { () async throws(ClientError) in
                try await client.data(for: Request(.get, "https://localhost/"))
            }
        }
        try await eventually("it is connected") { server.connectionCount == 1 }
        calling.cancel()
        #expect(await calling.value == .cancelled)
        try await server.isLeft()
    }
}
