// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernProxies
import TestSupport
import Testing

@Suite("Proxies: WebSocket", .hangLimit)
struct ProxyWebSocketTests {
    @Test(arguments: Way.allCases, Scheme.allCases)
    func `messages come back, each way and of all lengths`(_ way: Way, _ scheme: Scheme) async throws {
        let server = try await WebSocketPeer.websockets.server
        let request = scheme == .http ? server.get("/echo") : server.getSecurely("/echo")
        let delegate = MetricsDelegate()
        let socket = try await way.makeClient().webSocket(for: request, delegate: delegate)
        #expect(try await socket.echo(.text("ä€😀")) == .text("ä€😀"))
        for byteCount in [0, 1, 65536, 2_000_000] {
            let message = WebSocketMessage.binary(try Data.random(byteCount: byteCount))
            try await expectEqual(socket.echo(message), message)
        }
        await socket.close()
        #expect(socket.outcome?.cause == .closed)
        try await eventually("the metrics tell of a tunnel") { delegate.hasTunnelled }
    }

    @Test(arguments: [Way.httpDigest, .httpsBasic, .socksPassword])
    func `several through one proxy do not disturb each other`(_ way: Way) async throws {
        let server = try await WebSocketPeer.websockets.server
        let client = try await way.makeClient()
        let sockets = try await withThrowingTaskGroup(of: WebSocket.self) { group in
            for number in 0..<8 {
                let isSecure = number.isMultiple(of: 2)
                group.addTask {
                    try await client.webSocket(for: isSecure ? server.getSecurely("/echo") : server.get("/echo"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, socket) in sockets.enumerated() {
            #expect(try await socket.echo(.text("\(number)")) == .text("\(number)"))
        }
    }

    @Test func `a proxy that refuses the host makes no WebSocket`() async throws {
        let client = try await Way.http.makeClient()
        for url in ["ws://forbidden.test/", "wss://forbidden.test/"] {
            let error = await failure { () async throws(ClientError) in
                try await client.webSocket(for: Request(.get, url))
            }
            #expect(error?.fault == .proxyFailed(.refused(status: 403)))
        }
    }
}
