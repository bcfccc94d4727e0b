// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite(.hangLimit)
struct ResponseMetricsTests {
    private static var measuring: Client.Configuration {
        var configuration = Client.Configuration()
        configuration.collectsMetrics = true
        return configuration
    }

    /// The text "hello hello hello hello" as gzip, from another implementation.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
        0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
    ]

    @Test func `nothing is measured that nobody asked for`() async throws {
        let scene = ClientScene { _ in .response(body: "x") }
        let (_, response) = try await scene.client.data(from: testURL)
        #expect(response.metrics == nil)
    }

    @Test func `a delegate has the response measured`() async throws {
        let scene = ClientScene { _ in .response(body: "x") }
        let (_, response) = try await scene.client.data(from: testURL, delegate: RecordingDelegate())
        #expect(response.metrics?.isComplete == true)
    }

    @Test func `bytes are counted in both directions`() async throws {
        let scene = ClientScene(Self.measuring) { _ in .response(body: "hello") }
        let request = Request(.post, "http://test/up").header(.userAgent, "x")
        let (_, response) = try await scene.client.upload(for: request, from: Data("some text".utf8))
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.method == "POST")
        #expect(transaction.sent.body == 9)
        #expect(transaction.sent.content == 9)
        #expect(transaction.sent.head > (TestedVersion.isHTTP2 ? 20 : 40))
        #expect(transaction.received.body == 5)
        #expect(transaction.received.content == 5)
        #expect(transaction.received.head > 15)
        #expect(transaction.protocolVersion == (TestedVersion.isHTTP2 ? "HTTP/2" : "HTTP/1.1"))
    }

    @Test(.http1Only("names versions of HTTP/1"), arguments: ["HTTP/1.0", "HTTP/1.1"])
    func `the version is the one that the server speaks`(_ version: String) async throws {
        let scene = ClientScene(Self.measuring) { _ in
            .raw("\(version) 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        }
        let (_, response) = try await scene.client.data(from: testURL)
        #expect(response.metrics?.transactions.first?.protocolVersion == version)
    }

    @Test(.http1Only("counts the framing of HTTP/1.1"))
    func `the framing of chunks is counted on the wire`() async throws {
        var configuration = Self.measuring
        configuration.expectContinueThreshold = nil
        let scene = ClientScene(configuration) { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        }
        let stream = AsyncStream<Data> { continuation in
            continuation.yield(Data("hello ".utf8))
            continuation.yield(Data("world".utf8))
            continuation.finish()
        }
        let (_, response) = try await scene.client.upload(for: Request(.post, "http://test/"), from: stream)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.sent.content == 11)
        #expect(transaction.sent.body == 11 + 5 + 5 + 5)
        #expect(transaction.received.content == 5)
        #expect(transaction.received.body == 15)
        #expect(transaction.received.head == 47)
    }

    @Test func `decompressed content is counted as such`() async throws {
        let scene = ClientScene(Self.measuring) { _ in .response(fields: [.contentEncoding: "gzip"], bytes: Self.gzip) }
        let (data, response) = try await scene.client.data(from: testURL)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(data.count == 23)
        #expect(transaction.received.content == 23)
        #expect(transaction.received.body == Int64(Self.gzip.count))
    }

    @Test func `metrics are complete when the body ended`() async throws {
        let scene = ClientScene(Self.measuring) { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        }
        let (bytes, response) = try await scene.client.bytes(from: testURL)
        #expect(response.metrics?.isComplete == false)
        #expect(response.metrics?.transactions.first?.statusCode == 200)
        for try await _ in bytes.chunks {}
        let metrics = try #require(response.metrics)
        #expect(metrics.isComplete)
        #expect(metrics.transactions.first?.end != nil)
    }

    @Test func `the wait for a connection is measured`() async throws {
        var configuration = Self.measuring
        configuration.pool.maximumConnectionsPerHost = 1
        let delegate = RecordingDelegate()
        let scene = ClientScene(plan: .oneStream, configuration) { request in
            request.target == "/held" ? halfResponse : .response(body: "x")
        }
        var held: HTTPReply? = try await scene.client.reply(for: Request(.get, "http://test/held"))
        #expect(held?.response.statusCode == 200)
        let calling = Task { try await scene.client.data(from: testURL, delegate: delegate).1 }
        try await delegate.waitForEvents(1)
        scene.clock.advance(by: .seconds(3))
        held = nil
        let transaction = try #require(try await calling.value.metrics?.transactions.first)
        #expect(transaction.waiting?.duration == .seconds(3))
        // HTTP/1.1 closes the connection of the exchange that ended early.
        #expect((transaction.connecting == nil) == TestedVersion.isHTTP2)
    }

    @Test func `TLS has a step of its own`() async throws {
        let scene = ClientScene(Self.measuring) { _ in .response(body: "x") }
        let (_, response) = try await scene.client.data(for: Request(.get, "https://test/"))
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.handshake != nil)
        #expect(transaction.connection?.tls != nil)
        #expect(transaction.proxyHandshake == nil)
        #expect(transaction.tunnelling == nil)
    }

    @Test func `no user and no password is kept`() async throws {
        let scene = ClientScene(Self.measuring) { _ in .response(body: "x") }
        let request = Request(.get, "http://anna:hunter2@test/?token=sesame")
        let (_, response) = try await scene.client.data(for: request)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.url.absoluteString == "http://test/?token=sesame")
        #expect(!"\(transaction)".contains("sesame"))
        #expect(!String(reflecting: transaction).contains("sesame"))
    }

    @Test func `a challenge is the reason of the second transaction`() async throws {
        let scene = ClientScene(Self.measuring) { request in
            request.fields[.authorization] == nil
                ? .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"r\""]) : .response(body: "in")
        }
        let request = Request(.get, "http://test/").credential(Credential(user: "anna", password: "secret"))
        let (_, response) = try await scene.client.data(for: request)
        #expect(response.statusCode == 200)
        #expect(response.metrics?.transactions.map(\.reason) == [.initial, .authentication])
    }

    @Test func `an exchange that is repeated has its error`() async throws {
        let scene = ClientScene(Self.measuring) { request in
            request.connection == 1 && request.target == "/second" ? .close : .response(body: "x")
        }
        _ = try await scene.client.data(from: testURL)
        let (_, response) = try await scene.client.data(for: Request(.get, "http://test/second"))
        let transactions = try #require(response.metrics?.transactions)
        #expect(transactions.map(\.reason) == [.initial, .repetition])
        #expect(transactions.map { $0.error != nil } == [true, false])
    }

    @Test func `a transport that reports nothing is measured from outside`() async throws {
        let transport = ScriptedTransport(.response(body: "x"))
        let client = Client(configuration: Self.measuring, transport: transport)
        let (_, response) = try await client.data(from: testURL)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.statusCode == 200)
        #expect(transaction.connection == nil)
        #expect(transaction.end != nil)
    }
}
