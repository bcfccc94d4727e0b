// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("HTTP/2 faults: streams", .hangLimit)
struct HTTP2StreamFaultTests {
    private static let post = Request(.post, "http://test/").body(data: Data("content".utf8))

    @Test(arguments: [Request(url: testURL), Self.post])
    func `a refused request is sent again`(request: Request) async throws {
        let scene = HTTP2FaultScene([.refusal(ofRequest: 1)])
        #expect(try await scene.text(request) == "1/3")
        #expect(scene.server.requests.map(\.stream) == [3], "the script gets only the second request")
        #expect(scene.server.requests.first?.text == (request.method == .post ? "content" : ""))
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `a refusal affects only its request`() async throws {
        let scene = HTTP2FaultScene([.refusal(ofRequest: 2)])
        #expect(try await scene.text() == "1/1")
        #expect(try await scene.text() == "1/5")
        #expect(try await scene.text() == "1/7")
    }

    @Test func `requests count from 1 on each connection`() async throws {
        let scene = HTTP2FaultScene([.goAway(afterRequest: 1)], [.reset(request: 2)])
        #expect(try await scene.text() == "1/1")
        #expect(try await scene.text() == "2/1")
        #expect(await self.ending(scene, Self.post) == Ending(.connectionLost(.streamReset(code: 2)), in: .head))
        #expect(try await scene.text() == "2/5")
    }

    @Test(arguments: [1, 2, 8, 11] as [UInt32])
    func `a reset before the response fails the call with its code`(code: UInt32) async throws {
        let scene = HTTP2FaultScene([.reset(request: 1, code: code)])
        #expect(await self.ending(scene) == Ending(.connectionLost(.streamReset(code: code)), in: .head))
        #expect(scene.server.requests.isEmpty)
        #expect(try await scene.text() == "1/3", "the connection stays open")
    }

    @Test func `a request that needs HTTP/1.1 is sent again with it`() async throws {
        let scene = HTTP2FaultScene([.reset(request: 1, code: 13)])
        let (text, response) = try await scene.client.answer(to: Self.post)
        #expect((text, response.httpVersion) == ("2/0", .http11))
        #expect(scene.server.requests.map(\.text) == ["content"])
    }

    @Test(arguments: 0...10)
    func `a reset within the body follows so many bytes`(count: Int) async throws {
        let scene = HTTP2FaultScene([.reset(request: 1, code: 11, afterBodyByteCount: count)]) { _ in
            .response(body: "0123456789")
        }
        let (bytes, response) = try await scene.client.bytes(from: testURL)
        #expect(response.statusCode == 200)
        var text = ""
        let error = await failure { () async throws(ClientError) in
            for try await chunk in bytes.chunks { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(text == "0123456789".prefix(count))
        #expect(error?.isConnectivity == true)
        #expect(error?.context.phase == .body)
        try await scene.connector.waitForOpenStreams(0)
        #expect(scene.connector.openCount == 1)
    }

    @Test func `a reset within the body counts the bytes of chunks, without their framing`() async throws {
        let scene = HTTP2FaultScene([.reset(request: 1, afterBodyByteCount: 4)]) { _ in .chunked(["abc", "def"]) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var text = ""
        let error = await failure { () async throws(ClientError) in
            for try await chunk in bytes.chunks { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(text == "abcd")
        #expect(error?.isConnectivity == true)
    }

    @Test func `a reset behind the body does not occur`() async throws {
        let scene = HTTP2FaultScene([.reset(request: 1, afterBodyByteCount: 11)]) { _ in .response(body: "0123456789") }
        #expect(try await scene.text() == "0123456789")
    }

    @Test func `a WebSocket is reset after so many bytes`() async throws {
        let connector = MemoryConnector(
            version: .http2,
            plan: .accept(http2: [.reset(request: 1, code: 8, afterBodyByteCount: 7)]),
            connection: { connection in
                let socket = try await ServerWebSocket.accept(connection)
                try await socket.send(.text("hello"))  // 7 bytes
                try await socket.send(.text("lost"))
                _ = try await socket.receive()
            }
        )
        var configuration = Client.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let client = Client(configuration: configuration, connector: connector)
        let socket = try await client.webSocket(for: Request(.get, "ws://test/"))
        let (messages, error) = await socket.collect()
        #expect(messages == [.text("hello")])
        #expect(error?.isConnectivity == true)
        try await connector.waitForOpenStreams(0)
    }

    @Test func `a connection that uses HTTP/1.1 has no such faults`() async throws {
        let connector = MemoryConnector(version: .http2, plan: .accept(http2: [.reset(request: 1)])) { _ in
            .response(body: "fine")
        }
        #expect(try await Client(connector: connector).string(from: testURL) == "fine")
    }

    private func ending(_ scene: HTTP2FaultScene, _ request: Request = Request(url: testURL)) async -> Ending? {
        await failure { () async throws(ClientError) in try await scene.text(request) }?.ending
    }
}
