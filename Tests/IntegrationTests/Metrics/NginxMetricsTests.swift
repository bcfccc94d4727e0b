// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern
import TestSupport
import Testing

@Suite("nginx: what is measured", .hangLimit)
struct NginxMetricsTests {
    private func makeClient(_ nginx: Nginx) -> Client { nginx.makeClient { $0.collectsMetrics = true } }

    @Test func `over TLS every step is there, in order`() async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx)
        let (data, response) = try await client.data(for: Request(.get, nginx.url(.https, "/photo")))
        let metrics = try #require(response.metrics)
        let transaction = try #require(metrics.transactions.first)
        let resolution = try #require(transaction.resolution)
        let connecting = try #require(transaction.connecting)
        let handshake = try #require(transaction.handshake)
        let instants = try [
            transaction.start, connecting.lowerBound, resolution.lowerBound, resolution.upperBound,
            #require(transaction.connectAttempts.first).interval.lowerBound,
            #require(transaction.connectAttempts.first { $0.outcome == .connected }).interval.upperBound,
            connecting.upperBound, handshake.lowerBound, handshake.upperBound, #require(transaction.connected),
            #require(transaction.headSent), #require(transaction.firstByte), #require(transaction.answered),
            #require(transaction.end), metrics.duration,
        ]
        #expect(instants == instants.sorted())
        #expect(metrics.isComplete)
        #expect(transaction.addressCount ?? 0 > 0)
        #expect(transaction.statusCode == 200)
        #expect(transaction.received.body == Int64(data.count))
        #expect(transaction.received.head > 100)
        let connection = try #require(transaction.connection)
        #expect(!connection.isReused)
        #expect(connection.tls?.version == .tls13)
        #expect(connection.addresses.remote?.hasSuffix(":\(nginx.port(.tls))") == true)
        #expect(connection.addresses.local != nil)
        #expect(connection.proxy == nil)
    }

    @Test(arguments: Scheme.allCases)
    func `the second request finds a connection`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx)
        let request = Request(.get, nginx.url(scheme, "/"))
        _ = try await client.data(for: request)
        let (_, response) = try await client.data(for: request)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.isConnectionReused == true)
        #expect(transaction.connecting == nil)
        #expect(transaction.handshake == nil)
        #expect(transaction.connectAttempts.isEmpty)
        #expect((transaction.connection?.tls != nil) == (scheme == .https))
    }

    @Test func `an upload is counted`() async throws {
        let nginx = try await Nginx.shared
        let data = Data(repeating: 7, count: 300_000)
        let (_, response) = try await self.makeClient(nginx)
            .upload(for: Request(.put, nginx.url(.http, "/uploads/\(UUID().uuidString)")), from: data)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.sent.body == 300_000)
        #expect(transaction.sent.content == 300_000)
    }

    @Test(arguments: [Way.http, .https, .httpDigest, .socks, .socksPassword])
    func `a proxy has steps of its own, in order`(_ way: Way) async throws {
        let nginx = try await Nginx.shared
        let client = try await way.makeClient { $0.collectsMetrics = true }
        let (_, response) = try await client.data(for: Request(.get, nginx.url(.https, "/")))
        let transaction = try #require(response.metrics?.transactions.first)
        let connecting = try #require(transaction.connecting)
        let tunnelling = try #require(transaction.tunnelling)
        let handshake = try #require(transaction.handshake)
        let proxyHandshake = transaction.proxyHandshake.map { [$0.lowerBound, $0.upperBound] } ?? []
        let instants =
            [connecting.lowerBound, connecting.upperBound] + proxyHandshake
            + [tunnelling.lowerBound, tunnelling.upperBound, handshake.lowerBound, handshake.upperBound]
        #expect(instants == instants.sorted())
        #expect((transaction.proxyHandshake != nil) == (way == .https))
        let proxy = try #require(transaction.connection?.proxy)
        let account = Account.albert
        #expect(!proxy.contains(account.password))
    }

    @Test func `a socket of the file system has its path for an address`() async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, "http://localhost/").unixSocket(path: nginx.socketPath)
        let (_, response) = try await self.makeClient(nginx).data(for: request)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.connectAttempts.map(\.address) == [nginx.socketPath])
        #expect(transaction.connection?.addresses.remote?.hasSuffix("nginx.sock") == true)  // nginx reports this path
        #expect(transaction.resolution == nil)
    }

    @Test func `an attempt that is refused is recorded`() async throws {
        let monitor = LastMetrics()
        var configuration = Client.Configuration.patient
        configuration.monitors = [monitor]
        let client = Client(configuration: configuration)
        let port = try #require(try LoopbackPort.free(1).first)
        let failure = await fault { () async throws(ClientError) in
            try await client.data(for: Request(.get, "http://127.0.0.1:\(port)/"))
        }
        guard case .connectionFailed(.refused) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        let transaction = try #require(monitor.metrics?.transactions.first)
        #expect(transaction.connectAttempts.map(\.address) == ["127.0.0.1:\(port)"])
        #expect(transaction.connectAttempts.map(\.outcome) == [.failed(.refused)])
        #expect(transaction.error != nil)
        #expect(transaction.end != nil)
    }

    @Test func `a name that nobody has ends the look-up`() async throws {
        let monitor = LastMetrics()
        var configuration = Client.Configuration.patient
        configuration.monitors = [monitor]
        let client = Client(configuration: configuration)
        let failure = await fault { () async throws(ClientError) in
            try await client.data(for: Request(.get, "http://no-such-name.invalid/"))
        }
        guard case .connectionFailed(.resolution) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        let transaction = try #require(monitor.metrics?.transactions.first)
        #expect(transaction.resolution != nil)
        #expect(transaction.addressCount == nil)
        #expect(transaction.connectAttempts.isEmpty)
    }

    @Test func `a redirect makes two transactions`() async throws {
        let server = try await HTTPBin.shared
        var configuration = Client.Configuration.patient
        configuration.collectsMetrics = true
        let client = Client(configuration: configuration)
        let (_, response) = try await client.data(for: Request(.get, server.url("/redirect/1")))
        let metrics = try #require(response.metrics)
        #expect(metrics.transactions.map(\.statusCode) == [302, 200])
        #expect(metrics.transactions.map(\.reason) == [.initial, .redirect])
        #expect(metrics.redirectCount == 1)
    }
}

/// Keeps the metrics of the call that ended last.
private final class LastMetrics: EventMonitor {
    private let state = Mutex<TaskMetrics?>(nil)

    var metrics: TaskMetrics? { self.state.withLock { $0 } }

    func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
        self.state.withLock { $0 = metrics }
    }
}
