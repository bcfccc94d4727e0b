// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Resources: cancelled calls", .hangLimit)
struct CancellationTests {
    @Test func `while the head is awaited`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        try await server.expectCancellation(when: { try await server.isReached() }) { () async throws(ClientError) in
            _ = try await client.data(for: server.get("/stall-before-head"))
        }
    }

    @Test(arguments: ["/stall-in-body", "/stall-in-chunk", "/drip-for-ever"])
    func `while the body comes`(_ path: String) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let witness = Witness()
        try await server.expectCancellation(when: { await witness.received.wait() }) { () async throws(ClientError) in
            for try await _ in try await client.bytes(for: server.get(path), delegate: witness).0.chunks {}
        }
    }

    @Test func `while a file is downloaded, which is then deleted`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let folder = try TemporaryFolder()
        let witness = Witness()
        try await server.expectCancellation(when: { await witness.received.wait() }) { () async throws(ClientError) in
            let request = server.get("/flood").query("bytes", 1_000_000_000)
            _ = try await client.download(for: request, to: folder.file("file"), delegate: witness)
        }
        #expect(try folder.names == [])
    }

    @Test func `while the body is sent`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.expectContinueThreshold = nil
        let client = Client(configuration: configuration)
        let witness = Witness()
        try await server.expectCancellation(when: { await witness.sent.wait() }) { () async throws(ClientError) in
            _ = try await client.upload(
                for: Request(.put, server.url("/never-reads")),
                from: Data(count: 50_000_000),
                delegate: witness
            )
        }
    }

    @Test func `while 100 Continue is awaited`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.expectContinueThreshold = 1
        configuration.expectContinueTimeout = .patient
        let client = Client(configuration: configuration)
        try await server.expectCancellation(when: { try await server.isReached() }) { () async throws(ClientError) in
            _ = try await client.upload(for: Request(.put, server.url("/stall-before-head")), from: Data(count: 10))
        }
    }

    @Test func `while a connection is made`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let connectionCount = { OpenSockets.count(toPort: server.fullPort) }
        let task = Task {
            await fault { () async throws(ClientError) in
                try await client.data(for: Request(.get, "http://127.0.0.1:\(server.fullPort)/"))
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        try await eventually("no connection is being made") { connectionCount() == 0 }
    }

    @Test func `while a free connection is awaited`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.pool.maximumConnectionsPerHost = 1
        let client = Client(configuration: configuration)
        let holder = try await client.bytes(for: server.get("/stall-in-body"))
        let task = Task {
            await fault { () async throws(ClientError) in try await client.data(for: server.get("/fine")) }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(server.connectionCount == 1)
        withExtendedLifetime(holder) {}
    }

    @Test func `before it began`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await fault { () async throws(ClientError) in try await client.data(for: server.get("/fine")) }
        }
        #expect(await task.value == .cancelled)
        #expect(server.connectionCount == 0)
    }
}
