// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests that the client presents its certificate only to the server, and never to a proxy.
@Suite("Identities and proxies", .hangLimit)
struct ProxyIdentityTests {
    /// Returns the TLS handshakes of one request, oldest first.
    ///
    /// Each has the peer, and whether the client certificate was available.
    private func handshakes(_ url: String, through proxy: Proxy?) async throws -> [TLSRecorder.Handshake] {
        let clock = ManualClock()
        let server = ScriptedServer { request in
            request.method == .connect ? .raw(Scene.established) : .response(body: "fine")
        }
        let recorder = TLSRecorder(MemoryConnector(server, clock: clock))
        var configuration = HTTPTransportConfiguration(router: proxy.map { Router(.proxy($0)) } ?? Router())
        configuration.tls.identity = .pem(certificates: "certificates", privateKey: "key")
        let transport = HTTPTransport(configuration, connector: recorder, clock: clock)
        let request = Request(.get, url)
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        #expect(try await transport.respond(to: call).body.text() == "fine")
        return recorder.handshakes
    }

    @Test func `a server is shown the identity`() async throws {
        let handshakes = try await self.handshakes("https://test/", through: nil)
        #expect(handshakes == [.init(host: "test", hasIdentity: true)])
    }

    @Test func `a proxy that forwards is not`() async throws {
        let handshakes = try await self.handshakes("http://test/", through: Proxy(.https, host: "proxy", port: 443))
        #expect(handshakes == [.init(host: "proxy", hasIdentity: false)])
    }

    @Test func `a proxy that makes a tunnel is not, and the server behind it is`() async throws {
        let handshakes = try await self.handshakes("https://test/", through: Proxy(.https, host: "proxy", port: 443))
        #expect(handshakes == [.init(host: "proxy", hasIdentity: false), .init(host: "test", hasIdentity: true)])
    }

    @Test func `a proxy without TLS hears nothing of it`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 8080)
        #expect(try await self.handshakes("http://test/", through: proxy) == [])
        #expect(try await self.handshakes("https://test/", through: proxy) == [.init(host: "test", hasIdentity: true)])
    }
}

/// A connector that records the peers with which TLS is negotiated.
private final class TLSRecorder: Connector {
    struct Handshake: Equatable {
        var host: String
        var hasIdentity: Bool
    }

    private let base: MemoryConnector
    private let state = Mutex<[Handshake]>([])

    init(_ base: MemoryConnector) { self.base = base }

    var handshakes: [Handshake] { self.state.withLock { $0 } }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        TLSRecordingConnection(try await self.base.connect(to: endpoint, deadline: deadline), self)
    }

    func record(_ handshake: Handshake) { self.state.withLock { $0.append(handshake) } }
}

private final class TLSRecordingConnection: ForwardingConnection {
    let base: any Connection
    private let recorder: TLSRecorder

    init(_ base: any Connection, _ recorder: TLSRecorder) {
        self.base = base
        self.recorder = recorder
    }

    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        self.recorder.record(TLSRecorder.Handshake(host: host, hasIdentity: configuration.identity != nil))
        return try await self.base.startTLS(configuration, to: host, port: port, asking: decider, deadline: deadline)
    }
}
