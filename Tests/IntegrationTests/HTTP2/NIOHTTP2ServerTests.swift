// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Tern
import TernTesting
import TestSupport
import Testing

/// Tests what a server can report that runs in this process.
@Suite("HTTP/2: a server made with swift-nio-http2", .hangLimit)
struct NIOHTTP2ServerTests {
    private static let kinds: [HTTP2Server.Kind] = [.nio, .nioClear]

    /// A delegate that records the interim responses.
    private final class Interim: TaskDelegate {
        private let noted = Mutex<[HTTPResponse]>([])

        var responses: [HTTPResponse] { self.noted.withLock { $0 } }

        func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
            self.noted.withLock { $0.append(response) }
        }
    }

    @Test(arguments: Self.kinds)
    func `interim responses come before the response`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        let hints = Interim()
        let (hello, response) = try await client.data(for: server.get("/hints"), delegate: hints)
        #expect(hello == Data("hello\n".utf8))
        #expect(response.trailers?.count == 1)
        #expect(hints.responses.map(\.status.code) == [103])
        #expect(hints.responses.first?.headerFields[try #require(HTTPField.Name("link"))] != nil)
        // The body waits for the 100.
        let sent = try Data.random(byteCount: 100_000)
        let request = Request(.post, server.url("/upload")).header("Expect", "100-continue")
        let continued = Interim()
        expectEqual(try await client.upload(for: request, from: sent, delegate: continued).0, sent)
        #expect(continued.responses.map(\.status.code) == [100])
    }

    @Test(arguments: Self.kinds)
    func `the server is told that a call was cancelled`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.launch(kind)
        let local = try #require(server.local)
        let client = server.makeClient()
        for count in 1...10 {
            let call = Task {
                await fault { () async throws(ClientError) in _ = try await client.data(for: server.get("/silence")) }
            }
            _ = await local.paths.wait(for: count)
            call.cancel()
            #expect(await call.value == .cancelled)
        }
        #expect(await local.resets.wait(for: 10) == Array(repeating: HTTP2Code.cancel, count: 10))
        #expect(local.connectionCount == 1)
    }

    @Test(arguments: Self.kinds)
    func `calls that run survive that the server leaves, and later ones connect again`(
        _ kind: HTTP2Server.Kind
    ) async throws {
        let server = try await HTTP2Server.launch(kind)
        let local = try #require(server.local)
        let client = server.makeClient()
        let calls = (0..<10).map { _ in Task { try await client.data(for: server.get("/gate")) } }
        _ = await local.paths.wait(for: 10)
        #expect(local.connectionCount == 1)
        local.leave()
        // The server's GOAWAY needs an answer to its PING, so some calls may still come over the old connection.
        try await eventually("a call uses another connection") {
            _ = try await client.data(for: server.get("/hello.txt"))
            return local.connectionCount == 2
        }
        local.gate.raise()
        for call in calls {
            let (text, response) = try await call.value
            #expect(String(decoding: text, as: UTF8.self) == "open")
            #expect(response.statusCode == 200)
        }
        try await eventually("the server has closed the connection that it left") { local.connectionCount == 1 }
        let (_, response) = try await client.data(for: server.get("/hello.txt"))
        #expect(response.isConnectionReused)
        #expect(local.resets.all.isEmpty)
    }

    @Test(arguments: Self.kinds)
    func `more calls than the server allows at a time all succeed`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.launch(kind)
        let local = try #require(server.local)
        // swift-nio-http2 allows 100 streams at a time. A client that may open other connections does so after a while.
        let client = server.makeClient { $0.pool.maximumConnectionsPerHost = 1 }
        let sent = try Data.random(byteCount: 30_000)
        try await withThrowingTaskGroup { group in
            for _ in 0..<500 {
                group.addTask {
                    let request = Request(.post, server.url("/upload"))
                    expectEqual(try await client.upload(for: request, from: sent).0, sent)
                }
            }
            try await group.waitForAll()
        }
        #expect(local.paths.all.count == 500)
        #expect(local.connectionCount == 1)
    }

    @Test(arguments: Self.kinds)
    func `a server that leaves again and again loses no call`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.launch(kind)
        let local = try #require(server.local)
        let client = server.makeClient()
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    for _ in 0..<25 {
                        // No body: for swift-nio-http2, content on a stream that it has just refused is an error that
                        // ends the connection, and with it the calls that run.
                        await #expect(throws: Never.self) {
                            let (text, _) = try await client.data(for: server.get("/hello.txt"))
                            #expect(text == Data("hello\n".utf8))
                        }
                    }
                }
            }
            for count in 1...10 {
                _ = await local.paths.wait(for: count * 40)
                local.leave()
            }
        }
        #expect(local.paths.all.count == 500)
    }
}
