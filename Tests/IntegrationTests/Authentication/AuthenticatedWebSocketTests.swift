// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Authentication and redirects of WebSockets", .hangLimit)
struct AuthenticatedWebSocketTests {
    private func echo(_ socket: WebSocket) async throws {
        #expect(try await socket.echo(.text("through")) == .text("through"))
        await socket.close()
    }

    @Test(arguments: [false, true])
    func `a handshake behind Basic is answered`(_ isSecure: Bool) async throws {
        let server = try await WebSocketPeer.websockets.server
        let client = Client { $0.tls.trust = .only([server.root]) }
        let request = (isSecure ? server.getSecurely("/echo") : server.get("/echo"))
        let delegate = SteeringDelegate(.albert)
        try await self.echo(try await client.webSocket(for: request.query("closed", "yes"), delegate: delegate))
        #expect(delegate.schemes == [.basic])
        try await self.echo(try await client.webSocket(for: request.query("closed", "yes"), delegate: delegate))
        #expect(delegate.challenges.count == 1)
    }

    @Test func `the URL may bring who asks`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let text = Account.albert.url("ws://127.0.0.1:\(server.port)/echo?closed=yes")
        try await self.echo(try await Client(configuration: .patient).webSocket(for: Request(.get, text)))
    }

    @Test func `a handshake that nobody answers is refused with 401`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).webSocket(for: server.get("/echo").query("closed", "yes"))
        }
        #expect(fault == .webSocketRefused(.status(401)))
    }

    @Test(arguments: ["/echo", "ws", "http"])
    func `a handshake is redirected`(_ kind: String) async throws {
        let server = try await WebSocketPeer.websockets.server
        let place = kind == "/echo" ? kind : "\(kind)://127.0.0.1:\(server.port)/echo"
        for status in [301, 302, 307, 308] {
            let request = server.get("/go").query("status", status).query("to", place)
            try await self.echo(try await Client(configuration: .patient).webSocket(for: request))
        }
    }

    @Test func `a handshake is not redirected from wss to ws`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let client = Client { $0.tls.trust = .only([server.root]) }
        let request = server.getSecurely("/go").query("to", "ws://127.0.0.1:\(server.port)/echo")
        let fault = await fault { () async throws(ClientError) in try await client.webSocket(for: request) }
        #expect(fault == .redirectFailed(.insecure))
        let bold = request.redirects(RedirectPolicy(allowsInsecure: true))
        try await self.echo(try await client.webSocket(for: bold))
    }

    @Test func `a redirect that is not to be followed refuses the WebSocket`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let request = server.get("/go").query("to", "/echo").redirects(.never)
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).webSocket(for: request)
        }
        #expect(fault == .webSocketRefused(.status(302)))
    }

    @Test func `what is secret does not go to another server with the handshake`() async throws {
        let (server, place) = (try await WebSocketPeer.websockets.server, try await Recorder())
        let url = place.redirect(to: "ws://127.0.0.1:\(server.port)/fields")
        let request = Request(.get, url).header(.authorization, "Bearer s3cret").header("X-Plain", "seen")
        let socket = try await Client(configuration: .patient).webSocket(for: request)
        guard case .text(let text)? = try await socket.next() else { throw CancellationError() }
        #expect(text.contains("seen"))
        #expect(!text.contains("s3cret"))
    }
}
