// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern
import TernProxies
import TernTesting
import TestSupport
import Testing

@Suite("Proxies: HTTP/2 with the server", .hangLimit)
struct HTTP2TunnelTests {
    /// One way through each kind of proxy.
    private static let ways = [Way.http, .https, .http2, .socks]

    @Test(arguments: Way.allCases)
    func `the server chooses HTTP/2 inside a tunnel, and calls share the tunnel`(_ way: Way) async throws {
        let nginx = try await Nginx.shared
        let client = try await way.makeClient()
        let request = Request(.get, nginx.url(.https, .http2, "/version"))
        let delegate = MetricsDelegate()
        let (version, first) = try await client.text(request, delegate: delegate)
        #expect(version == "HTTP/2.0")
        #expect(first.httpVersion == .http2)
        #expect(first.tls?.applicationProtocol == "h2")
        #expect(delegate.hasTunnelled)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...30 {
                group.addTask {
                    let sink = Request(.post, nginx.url(.https, .http2, "/sink"))
                    let data = Data(repeating: 7, count: number * 1000)
                    let (answer, response) = try await client.upload(for: sink, from: data)
                    #expect(String(decoding: answer, as: UTF8.self) == "POST \(data.count)")
                    #expect(response.httpVersion == .http2)
                    #expect(response.isConnectionReused)
                }
            }
            try await group.waitForAll()
        }
        let (old, response) = try await client.text(request.httpVersion(.http1))
        #expect(old == "HTTP/1.1")
        #expect(response.httpVersion == .http11)
    }

    @Test(arguments: ways)
    func `large bodies arrive whole in both directions at the same time`(_ way: Way) async throws {
        let server = try await HTTP2Server.shared(.nghttpd)
        let client = try await way.makeClient { $0.tls.trust = $0.tls.trust.adding(server.root) }
        let sent = try Data.random(byteCount: 3_000_000)
        async let download = client.data(for: server.get("/large"))
        async let upload = server.upload(sent, by: client)
        let (content, response) = try await download
        try expectEqual(content, HTTP2Server.large)
        #expect(response.httpVersion == .http2)
        let (returned, answer) = try await upload
        expectEqual(returned, sent)
        #expect(answer.httpVersion == .http2)
    }

    @Test(arguments: Way.squids.filter(\.wantsAccount))
    func `a tunnel on a credential for one call serves no other, not even while that call runs`(
        _ way: Way
    ) async throws {
        let (nginx, proxy) = (try await Nginx.shared, try await way.proxy(as: nil))
        let client = try await Client.trusting { $0.proxy = .proxy(proxy) }
        let delegate = RecordingDelegate { challenge in
            guard case .http = challenge.kind else { return nil }
            return .useCredential(
                Credential(user: Account.albert.user, password: Account.albert.password, persistence: .none)
            )
        }
        let photo = Request(.get, nginx.url(.https, .http2, "/photo"))
        let (bytes, response) = try await client.bytes(for: photo, delegate: delegate)
        #expect(response.httpVersion == .http2)
        let request = Request(.get, nginx.url(.https, .http2, "/version"))
        let unanswered = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(unanswered == .proxyFailed(.authenticationRequired))
        let (version, other) = try await client.text(request, delegate: delegate)
        #expect(version == "HTTP/2.0")
        #expect(!other.isConnectionReused)
        var byteCount = 0
        for try await chunk in bytes.chunks { byteCount += chunk.count }
        #expect(byteCount == Nginx.photoByteCount)
        let later = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(later == .proxyFailed(.authenticationRequired))
    }

    // MARK: WebSockets

    private func close(_ socket: WebSocket, _ kind: HTTP2Server.Kind) async {
        // Hypercorn answers the Close frame, but does not end the stream.
        if kind == .hypercorn { socket.cancel() } else { await socket.close() }
    }

    @Test(arguments: ways, [HTTP2Server.Kind.nghttpx, .hypercorn])
    func `a WebSocket uses HTTP/2 inside a tunnel`(_ way: Way, _ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = try await way.makeClient { $0.tls.trust = $0.tls.trust.adding(server.root) }
        let delegate = TransactionsDelegate()
        let socket = try await client.webSocket(for: server.getWebSocket("/echo"), delegate: delegate)
        for byteCount in [0, 1, 65536, 1_000_000] {
            let message = WebSocketMessage.binary(try Data.random(byteCount: byteCount))
            try await expectEqual(socket.echo(message), message)
        }
        await self.close(socket, kind)
        let transaction = try await delegate.last
        #expect(transaction.protocolVersion == "HTTP/2")
        #expect(transaction.statusCode == 200)  // with HTTP/1.1, it would be 101
        #expect(transaction.tunnelling != nil)
    }

    @Test(arguments: ways, [HTTP2Server.Kind.nghttpx, .hypercorn])
    func `a WebSocket is a stream in the tunnel of calls that run`(_ way: Way, _ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = try await way.makeClient { $0.tls.trust = $0.tls.trust.adding(server.root) }
        let (bytes, response) = try await client.bytes(for: server.get("/large"))
        #expect(response.httpVersion == .http2)
        let delegate = TransactionsDelegate()
        // The request leaves the version to the client, which has a tunnel in which the server speaks HTTP/2.
        let socket = try await client.webSocket(for: server.get("/echo"), delegate: delegate)
        let message = WebSocketMessage.binary(try Data.random(byteCount: 100_000))
        try await expectEqual(socket.echo(message), message)
        var content = Data()
        for try await chunk in bytes.chunks { content += chunk }
        try expectEqual(content, HTTP2Server.large)
        let (hello, next) = try await client.data(for: server.get("/hello.txt"))
        #expect(hello == Data("hello\n".utf8))
        #expect(next.isConnectionReused)
        try await expectEqual(socket.echo(message), message)
        await self.close(socket, kind)
        let transaction = try await delegate.last
        #expect(transaction.protocolVersion == "HTTP/2")
        #expect(transaction.isConnectionReused == true)
        #expect(transaction.tunnelling == nil)
    }
}

/// Keeps the metrics of the call.
private final class TransactionsDelegate: TaskDelegate {
    private let transactions = Mutex<[TransactionMetrics]>([])

    /// The metrics of the last exchange of the call; waits until the call ends.
    var last: TransactionMetrics {
        get async throws {
            try await eventually("the call has metrics") { self.transactions.withLock { !$0.isEmpty } }
            return try #require(self.transactions.withLock { $0.last })
        }
    }

    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) {
        self.transactions.withLock { $0 = metrics.transactions }
    }
}
