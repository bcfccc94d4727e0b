// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernProxies
import TestSupport
import Testing

@Suite("Proxies: which one", .hangLimit)
struct ProxyChoiceTests {
    private func tunnels(_ client: Client, _ request: Request) async throws -> Bool {
        let delegate = MetricsDelegate()
        #expect(try await client.text(request, delegate: delegate).1.status == .ok)
        return delegate.hasTunnelled
    }

    @Test func `a request has the last word`() async throws {
        let apache = try await Apache.shared
        let request = Request(.get, apache.url(.https, .open))
        let proxied = try await Way.http.makeClient()
        #expect(try await self.tunnels(proxied, request.proxy(.direct)) == false)
        #expect(try await self.tunnels(proxied, request))
        #expect(try await self.tunnels(proxied, request.proxy(.proxy(try await Way.socks.proxy))))
        let direct = try await Client.trusting()
        #expect(try await self.tunnels(direct, request) == false)
        #expect(try await self.tunnels(direct, request.proxy(.proxy(try await Way.https.proxy))))
    }

    @Test(arguments: Scheme.allCases)
    func `each way keeps its connections to itself`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = try await Client.trusting()
        let request = Request(.get, nginx.url(scheme, "/hello.txt"))
        for isReused in [false, true] {
            for way in Way.allCases where !way.wantsAccount || way.isSOCKS || scheme == .https {
                let proxied = request.proxy(.proxy(try await way.proxy))
                #expect(try await client.text(proxied).1.isConnectionReused == isReused, "\(way)")
            }
            #expect(try await client.text(request).1.isConnectionReused == isReused)
        }
    }

    @Test func `exceptions are asked directly`() async throws {
        let apache = try await Apache.shared
        let proxy = try await Way.socks.proxy
        let client = try await Client.trusting {
            $0.proxy = .proxy(proxy, except: ProxyExceptions("127.0.0.0/8, other.test"))
        }
        #expect(try await self.tunnels(client, Request(.get, apache.url(.https, .open))))
        #expect(try await !self.tunnels(client, Request(.get, apache.url(.https, .open, host: "127.0.0.1"))))
    }

    @Test func `a socket of the file system is no proxy's business`() async throws {
        let nginx = try await Nginx.shared
        let client = try await Way.socks.makeClient()
        let request = Request(.get, "http://in.the.socket/host").unixSocket(path: nginx.socketPath)
        #expect(try await self.tunnels(client, request) == false)
        #expect(try await client.text(request).0 == "in.the.socket")
    }

    @Test func `a redirect goes the way of its own target`() async throws {
        let apache = try await Apache.shared
        let client = try await Way.http.makeClient()
        let request = Request(.get, apache.redirectingURL)
        let (_, response) = try await client.text(request)
        #expect(response.redirects.count == 1)
        #expect(response.status == .unauthorized)
        #expect(try await client.text(request.redirects(.never)).1.statusCode == 302)
    }
}
