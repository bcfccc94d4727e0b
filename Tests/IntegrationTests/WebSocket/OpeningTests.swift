// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: opening", .hangLimit)
struct OpeningTests {
    @Test(arguments: [WebSocketPeer.websockets, .aiohttp])
    func `the server chooses a subprotocol`(_ peer: WebSocketPeer) async throws {
        let client = Client(configuration: .patient)
        let request = try await peer.server.get("/echo?protocols=chat,stomp")
        for (offered, chosen) in [(["stomp"], "stomp"), (["v9", "chat"], "chat")] as [([String], String?)] {
            let socket = try await client.webSocket(for: request, options: .patient { $0.subprotocols = offered })
            #expect(socket.subprotocol == chosen)
            #expect(try await socket.echo(.text("hi")) == .text("hi"))
        }
    }

    @Test(arguments: WebSocketPeer.allCases)
    func `no subprotocol is chosen where none is offered`(_ peer: WebSocketPeer) async throws {
        let socket = try await Client(configuration: .patient).webSocket(for: try await peer.server.get("/echo"))
        #expect(socket.subprotocol == nil)
    }

    @Test func `fields of the client and of the request arrive, each once`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let request = server.get("/fields")
            .header("Authorization", "Bearer secret")
            .header("Origin", "https://example.com")
            .header("X-Tern", "flies")
            .header("Sec-WebSocket-Key", "of no use")
            .query("room", "ä b")
        let socket = try await Client(configuration: .patient).webSocket(
            for: request,
            options: .patient { $0.subprotocols = ["a", "b"] }
        )
        guard case .text(let text)? = try await socket.next() else {
            Issue.record("no text came")
            return
        }
        let pairs = try JSONDecoder().decode([[String]].self, from: Data(text.utf8))
        let fields = Dictionary(grouping: pairs, by: { $0[0].lowercased() }).mapValues { $0.map { $0[1] } }
        #expect(fields["authorization"] == ["Bearer secret"])
        #expect(fields["origin"] == ["https://example.com"])
        #expect(fields["x-tern"] == ["flies"])
        #expect(fields["user-agent"] == [TernVersion.product])
        #expect(fields["host"] == ["127.0.0.1:\(server.port)"])
        #expect(fields["upgrade"] == ["websocket"])
        #expect(fields["connection"]?.count == 1)
        #expect(fields["sec-websocket-version"] == ["13"])
        #expect(fields["sec-websocket-protocol"] == ["a, b"])
        #expect(fields["sec-websocket-extensions"] == ["permessage-deflate; client_max_window_bits"])
        #expect(fields["sec-websocket-key"]?.map { Data(base64Encoded: $0)?.count } == [16])
        #expect(fields["content-length"] == nil)
    }

    @Test func `every handshake has a key of its own`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        var keys: Set<String> = []
        for _ in 0..<3 {
            let socket = try await client.webSocket(for: server.get("/ws-fields"))
            guard case .text(let text)? = try await socket.next() else { continue }
            keys.insert(
                try JSONDecoder().decode([String: String].self, from: Data(text.utf8))["sec-websocket-key"] ?? ""
            )
        }
        #expect(keys.count == 3)
    }

    @Test(arguments: ["/ws-in-one-packet", "/ws-drip"])
    func `what comes with the handshake is not lost, however it is cut`(_ path: String) async throws {
        let server = try await RawServer()
        let id = path
        let socket = try await Client(configuration: .patient).webSocket(for: server.get(path).query("id", id))
        #expect(try await socket.rest() == [.text("hello"), .binary(Data([0, 1, 2]))])
        #expect(socket.closeCode?.rawValue == 4002)
        #expect(socket.closeReason == "auf Wiederhören")
        let told = try await server.closeCode(id)
        #expect(told == "4002")
        try await server.isLeft()
    }

    @Test func `TLS is as for any call`() async throws {
        let server = try await WebSocketPeer.websockets.server
        var configuration = Client.Configuration.patient
        let stranger = Client(configuration: configuration)
        configuration.tls.trust = .only([server.root])
        let client = Client(configuration: configuration)
        let socket = try await client.webSocket(for: server.getSecurely("/echo?id=tls"))
        for byteCount in EchoTests.byteCounts {
            let message = WebSocketMessage.binary(try Data.random(byteCount: byteCount))
            try await expectEqual(socket.echo(message), message)
        }
        await socket.close()
        let report = try await server.report("tls")
        #expect(report.code == 1000)
        let fault = await fault { () async throws(ClientError) in
            try await stranger.webSocket(for: server.getSecurely("/echo"))
        }
        #expect(fault == .tlsFailed(.unknownRoot(issuer: "CN=Tern test root")))
    }

    @Test func `a Unix-domain socket will do`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let request = Request(.get, "ws://anybody/echo").unixSocket(path: server.socketPath)
        let socket = try await Client(configuration: .patient).webSocket(for: request)
        #expect(try await socket.echo(.text("ä€😀")) == .text("ä€😀"))
        await socket.close()
        #expect(socket.outcome?.cause == .closed)
    }

    @Test func `a WebSocket takes no place of other calls`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.pool.maximumConnectionsPerHost = 1
        let client = Client(configuration: configuration)
        let sockets = [
            try await client.webSocket(for: server.get("/ws-echo")),
            try await client.webSocket(for: server.get("/ws-echo")),
        ]
        let (data, _) = try await client.data(for: server.get("/fine"))
        #expect(data == Data("fine".utf8))
        for socket in sockets { #expect(try await socket.echo(.text("hi")) == .text("hi")) }
        #expect(server.connectionCount == 3)
    }

    @Test func `a connection that was used before may become a WebSocket`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        _ = try await client.data(for: server.get("/fine"))
        let socket = try await client.webSocket(for: server.get("/ws-echo"))
        #expect(server.connectionCount == 1)
        #expect(try await socket.echo(.text("hi")) == .text("hi"))
        let (_, response) = try await client.data(for: server.get("/fine"))
        #expect(!response.isConnectionReused)
    }
}
