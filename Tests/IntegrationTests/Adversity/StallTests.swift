// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Adversity: nothing comes", .hangLimit)
struct StallTests {
    static let short = Duration.milliseconds(200)

    @Test(
        arguments: [
            AdversityCase("/stall-before-head", .timedOut(.firstByte), .head),
            AdversityCase("/stall-in-head", .timedOut(.firstByte), .head),
            AdversityCase("/stall-after-hints", .timedOut(.firstByte), .head),
        ]
    )
    func `a head must come in time`(_ adversity: AdversityCase) async throws {
        try await adversity.check(Timeouts.patient(firstByte: Self.short))
    }

    @Test(
        arguments: [
            AdversityCase("/stall-before-body", .timedOut(.idle), .body, status: 200),
            AdversityCase("/stall-in-body", .timedOut(.idle), .body, status: 200),
            AdversityCase("/stall-in-chunk", .timedOut(.idle), .body, status: 200),
        ]
    )
    func `a body must go on in time`(_ adversity: AdversityCase) async throws {
        try await adversity.check(Timeouts.patient(idle: Self.short))
    }

    /// The limit counts from the start of the call, so the phase in which it ends depends on the load of the machine.
    @Test(arguments: ["/stall-before-head", "/stall-in-body", "/drip-for-ever"])
    func `a call must end in time`(_ path: String) async throws {
        let server = try await RawServer()
        let request = server.get(path).timeout(Self.short)
        let client = Client(configuration: .patient)
        let fault = await fault { () async throws(ClientError) in
            for try await _ in try await client.bytes(for: request).0.chunks {}
            return ()
        }
        #expect(fault == .timedOut(.call))
        try await server.isLeft()
    }

    /// Each whole response takes longer than the limit, but no step of the response does.
    @Test(arguments: [("/drip", 60), ("/drip-chunks", 22)])
    func `slow is not silent`(_ path: String, _ count: Int) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        var limit = Duration.milliseconds(1200)
        var data: Data?
        while data == nil {
            do throws(ClientError) {
                data = try await client.data(for: server.get(path).timeouts(.patient(idle: limit))).0
            } catch {
                guard error.fault == .timedOut(.idle) else { throw error }
                limit *= 2  // the machine is busy
            }
        }
        expectEqual(data, Data(String(repeating: "slowly", count: count).utf8))
    }

    @Test func `lines come while the rest does not`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.timeouts.idle = Self.short
        let client = Client(configuration: configuration)
        var lines = try await client.bytes(for: server.get("/stall-in-lines")).0.lines.makeAsyncIterator()
        #expect(try await lines.next() == "one")
        #expect(try await lines.next() == "two")
        #expect(await fault { () async throws(ClientError) in try await lines.next() } == .timedOut(.idle))
        try await server.isLeft()
    }

    @Test func `a server that takes nothing of the body is given up`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.timeouts.idle = Self.short
        configuration.expectContinueThreshold = nil
        let client = Client(configuration: configuration)
        let error = await failure { () async throws(ClientError) in
            try await client.upload(for: Request(.put, server.url("/never-reads")), from: Data(count: 50_000_000))
        }
        #expect(error?.fault == .timedOut(.idle))
        #expect(error?.context.phase == .send)
        try await server.isLeft()
    }

    @Test func `a call waits for a free connection no longer than it may`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.timeouts.connection = Self.short
        configuration.pool.maximumConnectionsPerHost = 1
        let client = Client(configuration: configuration)
        let holder = try await client.bytes(for: server.get("/stall-in-body"))
        let error = await failure { () async throws(ClientError) in try await client.data(for: server.get("/fine")) }
        #expect(error?.fault == .timedOut(.connection))
        #expect(error?.context.phase == .wait)
        withExtendedLifetime(holder) {}
    }
}
