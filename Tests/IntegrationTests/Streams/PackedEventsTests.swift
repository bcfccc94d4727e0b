// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Event streams: compressed", .hangLimit)
struct PackedEventsTests {
    private static func event(_ number: Int) -> ServerSentEvent {
        ServerSentEvent(data: String(repeating: "packed ", count: 10), id: "\(number)")
    }

    @Test(arguments: ["gzip", "deflate"])
    func `each flushed event arrives before the server sends the next`(_ coding: String) async throws {
        let server = try await RawServer()
        let request = server.get("/events/packed").query("coding", coding).query("gate", "\(server.port)")
        let stream = try await Client(configuration: .patient).events(for: request)
        #expect(stream.response.receivedFields[.contentEncoding] == coding)
        var events = stream.makeAsyncIterator()
        for number in 0..<3 {
            #expect(try await events.next() == Self.event(number))
            try await server.open(gate: "\(server.port)-\(number)")
        }
        #expect(try await events.next() == nil)
    }

    @Test(arguments: 0...3, [0, 3])
    func `every event before the cut arrives, and then an error`(_ count: Int, _ moreBytes: Int) async throws {
        let server = try await RawServer.shared
        let request = server.get("/events/packed-cut").query("events", count).query("more", moreBytes)
        var events: [ServerSentEvent] = []
        let fault = await fault { () async throws(ClientError) in
            for try await event in try await Client(configuration: .patient).events(for: request) {
                events.append(event)
            }
        }
        #expect(events == (0..<count).map(Self.event))
        guard case .truncated(_, nil)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }
}
