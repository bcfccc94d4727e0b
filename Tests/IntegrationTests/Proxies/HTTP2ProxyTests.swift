// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernProxies
import TestSupport
import Testing

@Suite("Proxies: HTTP/2 with the proxy", .hangLimit)
struct HTTP2ProxyTests {
    @Test(arguments: Way.squids)
    func `a forwarded request uses HTTP/2 if the proxy speaks it`(_ way: Way) async throws {
        let nginx = try await Nginx.shared
        let client = try await way.makeClient { $0.collectsMetrics = true }
        let request = Request(.get, nginx.url(.http, "/hello.txt"))
        for _ in 0..<2 {
            let (text, response) = try await client.text(request)
            #expect(text == "hello\n")
            #expect(response.httpVersion == (way.isHTTP2 ? .http2 : .http11))
            let transaction = try #require(response.metrics?.transactions.last)
            #expect(transaction.protocolVersion == (way.isHTTP2 ? "HTTP/2" : "HTTP/1.1"))
            #expect((transaction.streamNumber != nil) == way.isHTTP2)
        }
        // The client offers the proxy only the versions that the request allows.
        let (text, response) = try await client.text(request.httpVersion(.http1))
        #expect(text == "hello\n")
        #expect(response.httpVersion == .http11)
    }

    @Test(arguments: [Squid.Port.open, .basic])
    func `tunnels and forwarded requests share one connection to the proxy`(_ port: Squid.Port) async throws {
        let (nginx, server) = (try await Nginx.shared, try await WebSocketPeer.websockets.server)
        let proxy = try await HTTP2Proxy.launch(before: port)
        let client = try await Client.trusting {
            $0.proxy = .proxy(proxy.proxy(as: port.wantsAccount ? .albert : nil))
            $0.tls.trust = $0.tls.trust.adding(proxy.root)
        }
        let forwarded = Request(.get, nginx.url(.http, "/hello.txt"))
        #expect(try await client.text(forwarded).1.httpVersion == .http2)

        // Each WebSocket has a tunnel of its own, and all tunnels are open at the same time.
        let sockets = try await withThrowingTaskGroup(of: WebSocket.self) { group in
            for number in 0..<8 {
                let isSecure = number.isMultiple(of: 2)
                group.addTask {
                    try await client.webSocket(for: isSecure ? server.getSecurely("/echo") : server.get("/echo"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(OpenSockets.count(toPort: proxy.port) == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, socket) in sockets.enumerated() {
                group.addTask {
                    let message = WebSocketMessage.binary(Data(repeating: UInt8(number), count: 100_000))
                    try await expectEqual(socket.echo(message), message)
                }
            }
            for number in 0..<20 {
                let scheme: Scheme = number.isMultiple(of: 2) ? .http : .https
                group.addTask {
                    let text = try await client.text(Request(.get, nginx.url(scheme, "/hello.txt"))).0
                    #expect(text == "hello\n")
                }
            }
            try await group.waitForAll()
        }
        #expect(OpenSockets.count(toPort: proxy.port) == 1)

        // The end of some tunnels leaves the connection to the others.
        for socket in sockets[..<4] { await socket.close() }
        for socket in sockets[4...] { #expect(try await socket.echo(.text("still here")) == .text("still here")) }
        #expect(try await client.text(forwarded).1.isConnectionReused)
        #expect(OpenSockets.count(toPort: proxy.port) == 1)
        for socket in sockets[4...] { await socket.close() }
    }
}
