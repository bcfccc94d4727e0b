// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TernAuthentication
import TernProxies
import TestSupport
import Testing

/// Tests that secrets for the proxy go only to the proxy, and secrets for the server only to the server.
@Suite("Proxies: secrets", .hangLimit)
struct ProxySecretTests {
    private func request(_ url: String) -> Request {
        Request(.get, url)
            .header(.authorization, "Bearer for-the-server")
            .header(.cookie, "for=the-server")
    }

    @Test(arguments: Way.allCases)
    func `the server of http gets its own fields only`(_ way: Way) async throws {
        let bin = try await HTTPBin.shared
        let client = try await way.makeClient()
        for _ in 0..<2 {
            let report = try HTTPBin.report(try await client.data(for: self.request(bin.url("/headers"))))
            #expect(report.headers["Authorization"] == "Bearer for-the-server")
            #expect(report.headers["Cookie"] == "for=the-server")
            #expect(report.headers.keys.filter { $0.lowercased().hasPrefix("proxy") } == [])
        }
    }

    @Test(arguments: Way.allCases, Scheme.allCases)
    func `the server behind a tunnel gets its own fields only`(_ way: Way, _ scheme: Scheme) async throws {
        let server = try await WebSocketPeer.websockets.server
        var request = scheme == .http ? server.get("/fields") : server.getSecurely("/fields")
        request.fields[.authorization] = "Bearer for-the-server"
        request.fields[.proxyAuthorization] = "Basic Zm9yOnRoZS1wcm94eQ=="
        let client = try await way.makeClient()
        if way.wantsAccount, !way.isSOCKS {
            // The proxy receives only the field that the caller sets.
            let error = await failure { [request] () async throws(ClientError) in
                try await client.webSocket(for: request)
            }
            #expect(error?.fault == .proxyFailed(.authenticationRequired))
            request.fields[.proxyAuthorization] = nil
        }
        let socket = try await client.webSocket(for: request)
        guard case .text(let text)? = try await socket.next() else {
            Issue.record("the server did not tell")
            return
        }
        let fields = try JSONDecoder().decode([[String]].self, from: Data(text.utf8))
        #expect(fields.contains(["Authorization", "Bearer for-the-server"]))
        #expect(fields.filter { $0.first?.lowercased().hasPrefix("proxy") ?? false } == [])
    }

    @Test(arguments: [Way.httpBasic, .httpDigest])
    func `a redirect that leads past the proxy takes nothing along`(_ way: Way) async throws {
        let (apache, bin) = (try await Apache.shared, try await HTTPBin.shared)
        let client = try await way.makeClient { configuration in
            guard case .proxy(let proxy, _) = configuration.proxy else { return }
            // The client reaches httpbin by its address, which is an exception.
            configuration.proxy = .proxy(proxy, except: ProxyExceptions("127.0.0.1"))
        }
        #expect(try await client.text(Request(.get, apache.url(.http, .open))).0 == "hello\n")
        let target = bin.url("/headers").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let hop = bin.url("/redirect-to?url=\(target)")
            .replacing("127.0.0.1", with: "localhost")
        let reply = try await client.data(for: Request(.get, hop))
        #expect(reply.1.redirects.count == 1)
        let report = try HTTPBin.report(reply)
        #expect(report.headers.keys.filter { $0.lowercased().hasPrefix("proxy") } == [])
    }

    @Test(arguments: Way.allCases)
    func `errors, settings and requests do not show the proxy's password`(_ way: Way) async throws {
        let proxy = try await way.proxy(as: Account(user: "Albert", password: "s3cr3t"))
        let client = try await Client.trusting { $0.proxy = .proxy(proxy) }
        let request = Request(.get, "https://forbidden.test:9/").proxy(.proxy(proxy))
        let error = try #require(
            await failure { () async throws(ClientError) in try await client.data(for: request) }
        )
        var text = "\(error) \(String(reflecting: error)) \(request) \(client.configuration.proxy) \(proxy)"
        dump(error, to: &text)
        dump(request, to: &text)
        dump(client.configuration, to: &text)
        dump(proxy, to: &text)
        #expect(!text.contains("s3cr3t"))
    }
}
