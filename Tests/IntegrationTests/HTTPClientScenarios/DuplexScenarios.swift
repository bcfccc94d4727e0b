// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

/// Tests calls that send and receive at the same time, and cancellation.
@Suite("HTTP API scenarios: both directions", .hangLimit)
struct DuplexScenarios {
    @Test(arguments: [nil, 1 << 20] as [Int64?])
    func `each byte comes back before the next is written`(expectContinueThreshold: Int64?) async throws {
        let server = try await ScenarioServer { $0.expectContinueThreshold = expectContinueThreshold }
        let (body, writer) = RequestBody.makeWriter()
        let (bytes, response) = try await server.client.bytes(for: server.request(.post, "echo").body(body))
        #expect(response.status == .ok)
        var chunks = bytes.chunks.makeAsyncIterator()
        for _ in 0..<1000 {
            try await writer.write("A".utf8)
            #expect(try await chunks.next() == Data("A".utf8))
        }
        writer.finish()
        #expect(try await chunks.next() == nil)
    }

    @Test func `the server speaks first, and gets each byte back before the next`() async throws {
        let server = try await ScenarioServer()
        let (body, writer) = RequestBody.makeWriter()
        let request = server.request(.post, "speak").query("count", 1000).body(body)
        let (bytes, response) = try await server.client.bytes(for: request)
        #expect(response.status == .ok)
        var count = 0
        for try await chunk in bytes.chunks {
            #expect(chunk == Data("A".utf8))
            count += 1
            try await writer.write(chunk)
        }
        writer.finish()
        #expect(count == 1000)
    }

    @Test func `fields come behind the body of a response`() async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.get("trailers"))
        #expect(text == "text")
        #expect(response.trailers?["X-One"] == "first")
        #expect(response.trailers?["X-Two"] == "second")
        let (bytes, streamed) = try await server.client.bytes(for: server.get("trailers"))
        for try await _ in bytes {}
        #expect(streamed.trailers?.count == 2)
    }

    @Test func `fields are sent behind the body of a request`() async throws {
        let server = try await ScenarioServer()
        let (body, writer) = RequestBody.makeWriter()
        async let seen = server.seen(server.request(.post, "request").body(body))
        try await writer.write("some text".utf8)
        var trailers = HTTPFields()
        trailers["X-Digest"] = "abc"
        writer.finish(trailers: trailers)
        #expect(try await seen.body == "some text")
        #expect(try await seen.trailers.mapKeysLowercased() == ["x-digest": ["abc"]])
    }

    @Test(arguments: TestedTransport.allCases)
    func `a call is cancelled before its answer`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let raw = try await RawServer()
        let calling = Task { try await server.client.data(for: raw.get("/stall-before-head")) }
        try await eventually("the call has a connection") { raw.connectionCount > 0 }
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .cancelled)
        try await raw.isLeft()
    }

    @Test(arguments: TestedTransport.allCases)
    func `a call is cancelled in its body`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let raw = try await RawServer()
        let hasBegun = Flag()
        let reading = Task {
            let (bytes, response) = try await server.client.bytes(for: raw.get("/stall-in-body"))
            #expect(response.status == .ok)
            for try await _ in bytes { hasBegun.raise() }
        }
        await hasBegun.wait()
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.fault == .cancelled)
        try await raw.isLeft()
    }
}

extension [String: [String]] {
    fileprivate func mapKeysLowercased() -> Self {
        Dictionary(self.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: +)
    }
}
