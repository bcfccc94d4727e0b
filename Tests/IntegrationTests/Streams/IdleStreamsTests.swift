// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Event streams: many", .hangLimit)
struct IdleStreamsTests {
    @Test func `a thousand streams wait on one connection`() async throws {
        let server = try await EventServer.shared
        let (client, gate) = (server.makeClient(), EventServer.makeGate())
        let request = server.request(.hypercornHTTP2, "/idle").query("gate", gate)
        _ = try await client.data(for: server.request(.hypercornHTTP2, "/release").query("gate", gate))
        let opened = Flag()
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    let stream = try await client.events(for: request)
                    let isShared = stream.response.isConnectionReused && stream.response.httpVersion == .http2
                    var words = [isShared ? "shared" : "separate"]
                    for try await event in stream {
                        words.append(event.data)
                        opened.raise()
                    }
                    return words
                }
            }
            await opened.wait(for: 1000)
            try await server.wake(gate, by: client)
            for try await words in group {
                guard words == ["shared", "open", "awake"] else {
                    Issue.record("\(words)")
                    return
                }
            }
        }
    }
}
