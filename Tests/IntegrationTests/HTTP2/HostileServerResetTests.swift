// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// An attack on each stream that the client opens, until the client has had enough.
struct StreamAttack: CustomTestStringConvertible, Sendable {
    /// The path whose requests the server collects, until it ends the streams of all of them with one write.
    let path: String
    /// The fault of each call while the connection goes on.
    let fault: Fault
    /// The number of streams that the client lets the server end in one burst; see `Documentation/Limits.md`.
    let limit: Int
    /// The error code with which the client resets each of the streams; `nil` if the server has reset it.
    let resetCode: Int?

    var testDescription: String { self.path }

    static let all = [
        // CVE-2023-44487 with the roles exchanged.
        StreamAttack(
            path: "/together/reset",
            fault: .connectionLost(.streamReset(code: 8)),
            limit: 1000,
            resetCode: nil
        ),
        // CVE-2025-8671 with the roles exchanged.
        StreamAttack(
            path: "/together/no-status",
            fault: .protocolViolation("RFC 9113 §8.3.2"),
            limit: 200,
            resetCode: 1
        ),
    ]
}

@Suite("HTTP/2: servers that end stream after stream, over sockets", .hangLimit)
struct HostileServerResetTests {
    /// The number of requests that the server collects.
    private static let roundCount = 50

    private static let flood = Fault.protocolViolation("RFC 9113 §10.5")

    /// Sends as many requests as the server collects, at the same time, and returns the fault of each.
    private func round(_ client: Client, _ request: Request) async -> [Fault?] {
        await withTaskGroup(of: Fault?.self) { group in
            for _ in 0..<Self.roundCount {
                group.addTask { await fault { () async throws(ClientError) in try await client.data(for: request) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The budget also grows with time, so a slow client lets the server end more streams than the limit.
    @Test(arguments: HostileServer.Port.usual, StreamAttack.all)
    func `the connection ends at the limit, and calls go on`(
        _ port: HostileServer.Port,
        _ attack: StreamAttack
    ) async throws {
        let server = try await HostileServer.shared
        let (client, id) = (server.makeClient(), HostileServer.makeID())
        // The calls of a round share the connection that is open already.
        _ = try await client.data(for: server.get(port, "/fine").query("id", id))
        var counts: [Fault?: Int] = [:]
        let request = server.get(port, attack.path)
        while counts.keys.allSatisfy({ $0 == attack.fault }), counts[attack.fault, default: 0] < 20 * attack.limit {
            for fault in await self.round(client, request) { counts[fault, default: 0] += 1 }
        }
        let endedCount = counts[attack.fault, default: 0]
        #expect(endedCount >= attack.limit)
        #expect(counts[Self.flood, default: 0] > 0)
        #expect(Set(counts.keys) == [attack.fault, Self.flood])
        // The client does not wait for the next stream: the burst ends in the round that reaches the limit.
        #expect(counts[Self.flood, default: 0] <= Self.roundCount)
        let report = try await server.report(id)
        #expect(report.goAway == 11)  // ENHANCE_YOUR_CALM
        #expect(report.resets == attack.resetCode.map { Array(repeating: $0, count: endedCount) } ?? [])
        let (data, response) = try await client.data(for: server.get(port, "/fine"))
        #expect(String(decoding: data, as: UTF8.self) == "fine")
        #expect(!response.isConnectionReused)
    }
}
