// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("HTTP/2: servers that stop", .hangLimit)
struct HostileServerStallTests {
    private func expectFine(_ client: Client, _ request: Request) async throws {
        let (data, _) = try await client.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "fine")
    }

    @Test(arguments: HostileServer.Port.usual)
    func `a head must come in time, and the connection goes on`(_ port: HostileServer.Port) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let request = server.get(port, "/stop/before-head").query("id", id)
            .timeouts(.patient(firstByte: StallTests.short))
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .timedOut(.firstByte))
        #expect(try await server.report(id, untilReset: true).resets == [8])  // CANCEL
        try await self.expectFine(client, server.get(port, "/fine"))
    }

    @Test(arguments: HostileServer.Port.usual, ["/stop/after-head", "/stop/within-content"])
    func `a body must go on in time, and the connection goes on`(
        _ port: HostileServer.Port,
        _ path: String
    ) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let request = server.get(port, path).query("id", id).timeouts(.patient(idle: StallTests.short))
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .timedOut(.idle))
        #expect(try await server.report(id, untilReset: true).resets == [8])
        try await self.expectFine(client, server.get(port, "/fine"))
    }

    /// The rest of the frame would be taken from the next answer, so the connection is of no use to other calls.
    @Test(
        arguments: HostileServer.Port.usual,
        [
            ("/stop/within-frame", Timeouts.patient(idle: StallTests.short), Timeout.idle),
            ("/stop/within-block", .patient(firstByte: StallTests.short), .firstByte),
        ]
    )
    func `a frame must come to its end in time`(
        _ port: HostileServer.Port,
        _ stop: (path: String, limits: Timeouts, timeout: Timeout)
    ) async throws {
        let server = try await HostileServer.shared
        let fault = await fault { () async throws(ClientError) in
            try await server.makeClient().data(for: server.get(port, stop.path).timeouts(stop.limits))
        }
        #expect(fault == .timedOut(stop.timeout))
        try await self.expectFine(server.makeClient(), server.get(port, "/fine"))
    }

    @Test func `a server that sends nothing, not even SETTINGS`() async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        let request = server.get(.silent, "/").timeouts(.patient(firstByte: StallTests.short))
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .timedOut(.firstByte))
        try await self.expectFine(client, server.get(.plain, "/fine"))
    }

    @Test(arguments: HostileServer.Port.usual)
    func `a server that allows no more streams gets a new connection`(_ port: HostileServer.Port) async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        for _ in 0..<2 {
            let (data, response) = try await client.data(for: server.get(port, "/stop/streams"))
            #expect(String(decoding: data, as: UTF8.self) == "fine")
            #expect(!response.isConnectionReused)
        }
    }

    /// The window of the stream and that of the connection stay closed after the first 65,535 bytes.
    @Test(arguments: HostileServer.Port.usual)
    func `an upload ends if the server grants no window, while calls go on`(_ port: HostileServer.Port) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let request = server.request(.put, port, "/stop/granting").query("id", id)
            .timeouts(.patient(idle: StallTests.short))
        async let ending = failure { () async throws(ClientError) in
            try await client.upload(for: request, from: Data(count: 5_000_000))
        }
        for _ in 0..<5 { try await self.expectFine(client, server.get(port, "/fine")) }
        #expect(await ending?.fault == .timedOut(.idle))
        #expect(try await server.report(id, untilReset: true).resets == [8])
        try await self.expectFine(client, server.get(port, "/fine"))
    }

    @Test(arguments: HostileServer.Port.usual)
    func `an upload ends if the server reads nothing`(_ port: HostileServer.Port) async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        let request = server.request(.put, port, "/stop/reading").timeouts(.patient(idle: StallTests.short))
        let fault = await fault { () async throws(ClientError) in
            try await client.upload(for: request, from: Data(count: 50_000_000))
        }
        #expect(fault == .timedOut(.idle))
        try await self.expectFine(server.makeClient(), server.get(port, "/fine"))
    }
}
