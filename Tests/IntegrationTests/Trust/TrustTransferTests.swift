// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests trust decisions for downloads, uploads, streams and WebSockets.
@Suite("Trust: transfers", .hangLimit)
struct TrustTransferTests {
    @Test func `a download has a delegate`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let request = server.get(.row(.selfSigned), "/long")
        let delegate = TrustDelegate.approving
        let (location, response) = try await client.download(for: request, delegate: delegate)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(try Data(contentsOf: location).count == TrustServer.longByteCount)
        #expect(response.tls?.trust.evaluation == .selfSigned)
        #expect(delegate.asked.count == 1)
        let fault = await fault { () async throws(ClientError) in try await client.download(for: request) }
        #expect(fault == .tlsFailed(.selfSigned))
    }

    @Test func `a stream has a delegate, and its connection is nobody else's when it ends`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let request = server.get(.row(.selfSigned), "/long")
        let (bytes, _) = try await client.bytes(for: request, delegate: TrustDelegate.approving)
        var count = 0
        for try await chunk in bytes.chunks { count += chunk.count }
        #expect(count == TrustServer.longByteCount)
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .tlsFailed(.selfSigned))
    }

    /// The handshake comes before the body, so the client sends nothing to an untrusted server.
    @Test func `an upload has a delegate`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let request = Request(.post, server.url(.row(.selfSigned))).body(.data(Data(count: 100_000)))
        let (_, response) = try await client.data(for: request, delegate: TrustDelegate.approving)
        #expect(response.isSuccess)
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .tlsFailed(.selfSigned))
    }

    @Test func `a WebSocket has a delegate`() async throws {
        let server = try await WebSocketPeer.websockets.server
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .only(try await TrustServer.shared.roots)  // did not sign its certificate
        let client = Client(configuration: configuration)
        let request = server.getSecurely("/echo")
        let delegate = TrustDelegate.approving
        let socket = try await client.webSocket(for: request, delegate: delegate)
        #expect(try await socket.echo(.text("hello")) == .text("hello"))
        #expect(delegate.asked.count == 1)
        // No other call uses the connection of the WebSocket, either while it is open or afterwards.
        #expect(await self.reason(client, request)?.isTrust == true)
        await socket.close()
        #expect(await self.reason(client, request)?.isTrust == true)
    }

    private func reason(_ client: Client, _ request: Request) async -> TLSFailure? {
        let error = await failure { () async throws(ClientError) in try await client.webSocket(for: request) }
        guard case .tlsFailed(let reason, _)? = error else { return nil }
        return reason
    }

    @Test func `a call's delegate refuses a WebSocket to a trusted server`() async throws {
        let server = try await WebSocketPeer.websockets.server
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .only([server.root])
        let client = Client(configuration: configuration)
        let fault = await fault { () async throws(ClientError) in
            try await client.webSocket(for: server.getSecurely("/echo"), delegate: TrustDelegate { _ in .cancel })
        }
        #expect(fault == .tlsFailed(.rejected))
    }

    @Test func `a WebSocket shows the client's certificate`() async throws {
        let server = try await TrustServer.shared
        let identity = ClientIdentity.pemFiles(
            certificates: server.matrix.file("client.pem"),
            privateKey: server.matrix.file("client.key")
        )
        let url = server.url(.mutual).replacing("https:", with: "wss:")
        // The server does not support WebSockets. A 200 in place of a 400 shows that it received the certificate.
        for (delegate, status) in [(TrustDelegate.showing(identity), 200), (TrustDelegate(), 400)] {
            let fault = await fault { () async throws(ClientError) in
                try await server.makeClient().webSocket(for: Request(.get, url), delegate: delegate)
            }
            #expect(fault == .webSocketRefused(.status(status)))
        }
    }
}
