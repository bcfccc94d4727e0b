// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Resources: bodies that are not read to the end", .hangLimit)
struct AbandonmentTests {
    @Test func `leaving a loop frees the connection`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for try await line in try await client.bytes(for: server.get("/stall-in-lines")).0.lines {
            #expect(line == "one")
            break
        }
        try await server.isLeft()
    }

    @Test(arguments: ["/stall-before-body", "/stall-in-body", "/stall-in-chunk", "/drip-for-ever"])
    func `a body that is dropped unread frees the connection`(_ path: String) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        _ = try await client.bytes(for: server.get(path))
        try await server.isLeft()
    }

    @Test func `a body that had arrived leaves the connection for the next call`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for isReused in [false, true] {
            let (_, response) = try await client.bytes(for: server.get("/fine"))
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test func `a slow reader slows the server, not the memory`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let before = try ResidentMemory.byteCount
        let (bytes, _) = try await client.bytes(for: server.get("/flood").query("bytes", 1_000_000_000))
        var chunks = bytes.chunks.makeAsyncIterator()
        for _ in 0..<20 { _ = try await chunks.next() }
        #expect(server.connectionCount == 1)
        #expect(try ResidentMemory.byteCount - before < 500 << 20)
    }

    @Test func `a client that is released meanwhile ends no call`() async throws {
        let server = try await RawServer()
        let body = try await Client(configuration: .patient).bytes(for: server.get("/flood").query("bytes", 3_000_000))
            .0
        var byteCount = 0
        for try await chunk in body.chunks { byteCount += chunk.count }
        #expect(byteCount == 3_000_000)
        try await server.isLeft()
    }

    @Test func `no temporary file outlives a download that failed`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.timeouts.idle = .milliseconds(100)
        let client = Client(configuration: configuration)
        let before = try TemporaryFiles.names
        for path in ["/close-in-body", "/stall-in-body", "/banner", "/bad-chunk-size", "/close-before-head"] {
            let fault = await fault { () async throws(ClientError) in try await client.download(for: server.get(path)) }
            #expect(fault != nil)
        }
        // Other tests may have temporary files at this moment, but only for a limited time.
        try await eventually("all temporary files are gone") {
            try TemporaryFiles.names.isSubset(of: before)
        }
    }
}
