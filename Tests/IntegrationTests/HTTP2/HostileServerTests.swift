// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("HTTP/2: servers that break the rules, over sockets", .hangLimit)
struct HostileServerTests {
    /// No attack takes more from the server than this, which is mostly what the buffers of the system hold.
    private static let maximumByteCount = 32 << 20

    private func text(_ client: Client, _ request: Request) async throws -> (String, Response) {
        let (data, response) = try await client.data(for: request)
        return (String(decoding: data, as: UTF8.self), response)
    }

    @Test(arguments: HostileServer.Port.usual, HostileCase.ofConnection)
    func `the connection ends with a reason`(_ port: HostileServer.Port, _ attack: HostileCase) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let request = server.get(port, attack.path).query("id", id)
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .protocolViolation(attack.section))
        let report = try await server.report(id)
        // A reset of TCP may overtake the GOAWAY, because the client closes while a flood, a long frame or a long list of
        // fields goes on.
        let isLong =
            attack.path.hasPrefix("/flood/") || ["/frame/too-long", "/hpack/list-far-over-limit"].contains(attack.path)
        #expect(report.goAway != nil || isLong)
        #expect(report.goAway != 0)
        #expect(report.sent < Self.maximumByteCount)
        let (fine, response) = try await self.text(client, server.get(port, "/fine"))
        #expect(fine == "fine")
        #expect(!response.isConnectionReused)
    }

    @Test(arguments: HostileServer.Port.usual, HostileCase.ofStream)
    func `the stream ends, and the connection goes on`(_ port: HostileServer.Port, _ attack: HostileCase) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let request = server.get(port, attack.path).query("id", id)
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .protocolViolation(attack.section))
        let report = try await server.report(id, untilReset: true)
        #expect(report.resets.count == 1)
        #expect(report.goAway == nil)
        let (fine, response) = try await self.text(client, server.get(port, "/fine"))
        #expect(fine == "fine")
        #expect(response.isConnectionReused)
    }

    @Test(arguments: HostileServer.Port.usual, HostileCase.harmless)
    func `what is unusual but right changes nothing`(_ port: HostileServer.Port, _ path: String) async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        for isReused in [false, true] {
            let (fine, response) = try await self.text(client, server.get(port, path))
            #expect(fine == "fine")
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test(arguments: HostileServer.Port.usual)
    func `a server that leaves after each answer gets a new connection`(_ port: HostileServer.Port) async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        for _ in 0..<5 {
            let (fine, response) = try await self.text(client, server.get(port, "/fine/go-away"))
            #expect(fine == "fine")
            #expect(!response.isConnectionReused)
        }
    }

    /// The call ends before the flood uses up its budget.
    @Test(
        arguments: HostileServer.Port.usual,
        [
            ("/flood/resets", Fault.connectionLost(.streamReset(code: 2))),
            ("/flood/closed-stream", nil),
            ("/flood/headers-of-closed-stream", nil),
            ("/flood/interim", .protocolViolation("RFC 9110 §15.2")),
        ] as [(String, Fault?)]
    )
    func `a flood for a stream that has ended ends the connection`(
        _ port: HostileServer.Port,
        _ flood: (path: String, fault: Fault?)
    ) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let request = server.get(port, flood.path).query("id", id)
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == flood.fault)
        let report = try await server.report(id)
        #expect([nil, 11].contains(report.goAway))  // ENHANCE_YOUR_CALM, unless a reset of TCP overtakes it
        #expect(report.sent < Self.maximumByteCount)
        #expect(try await self.text(client, server.get(port, "/fine")).0 == "fine")
    }

    @Test(
        arguments: HostileServer.Port.usual,
        [
            ("/refuse/stream", Fault.connectionLost(.streamReset(code: 7))),
            ("/refuse/connection", .connectionLost(.streamReset(code: 0))),
            ("/refuse/connection-with-error", .connectionLost(.streamReset(code: 11))),
        ] as [(String, Fault)]
    )
    func `a server that refuses each attempt is given up`(
        _ port: HostileServer.Port,
        _ refusal: (path: String, fault: Fault)
    ) async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(port, refusal.path))
        }
        #expect(fault == refusal.fault)
        #expect(try await self.text(client, server.get(port, "/fine")).0 == "fine")
    }

    @Test(arguments: HostileServer.Port.usual)
    func `more content than the window of a stream allows ends the stream`(_ port: HostileServer.Port) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        let (bytes, _) = try await client.bytes(for: server.get(port, "/window/exceeded").query("id", id))
        _ = try await server.report(id, untilReset: true)  // no task has read anything
        let fault = await fault { () async throws(ClientError) in for try await _ in bytes.chunks {} }
        #expect(fault == .protocolViolation("RFC 9113 §6.9.1"))
        #expect(try await self.text(client, server.get(port, "/fine")).0 == "fine")
    }

    @Test func `a server that does not begin with SETTINGS`() async throws {
        let server = try await HostileServer.shared
        let client = server.makeClient()
        let first = await fault { () async throws(ClientError) in try await client.data(for: server.get(.ping, "/")) }
        #expect(first == .protocolViolation("RFC 9113 §3.4"))
        let old = await fault { () async throws(ClientError) in try await client.data(for: server.get(.http1, "/")) }
        guard case .protocolViolation? = old else {
            Issue.record("\(String(describing: old))")
            return
        }
    }
}
