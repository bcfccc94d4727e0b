// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Event streams: servers of other projects", .hangLimit)
struct EventServersTests {
    private struct Delta: Codable, Sendable {
        var text: String
    }

    /// The event with a number that sse-starlette sends.
    private static func event(_ number: Int) -> ServerSentEvent {
        let data = "\(number) ä€😀\n" + String(repeating: "x", count: number % 100)
        return ServerSentEvent(event: "tick", data: data, id: "\(number)")
    }

    /// Reads a stream to its end, and checks that it consists of this number of events.
    private func checkAll(_ count: Int, of stream: EventStream) async throws {
        var number = 0
        for try await event in stream {
            guard event == Self.event(number) else {
                Issue.record("\(event) in place of event \(number)")
                return
            }
            number += 1
        }
        #expect(number == count)
    }

    @Test(arguments: EventServer.Route.allCases)
    func `all events arrive, in order`(_ route: EventServer.Route) async throws {
        let server = try await EventServer.shared
        let request = server.request(route, "/events").query("count", 300)
        let stream = try await server.makeClient().events(for: request)
        #expect(stream.response.httpVersion == (route.isHTTP2 ? .http2 : .http11))
        #expect(stream.response.receivedFields[.contentEncoding] == (route == .nginxPacking ? "gzip" : nil))
        try await self.checkAll(300, of: stream)
    }

    @Test(arguments: ["lf", "cr", "crlf"])
    func `all line breaks separate lines and events`(_ separator: String) async throws {
        let server = try await EventServer.shared
        let request = server.request(.uvicorn, "/events").query("count", 100).query("sep", separator)
        try await self.checkAll(100, of: try await server.makeClient().events(for: request))
    }

    @Test(arguments: EventServer.Route.prompt)
    func `each event arrives before the server sends the next`(_ route: EventServer.Route) async throws {
        let server = try await EventServer.shared
        let (client, gate) = (server.makeClient(), EventServer.makeGate())
        let request = server.request(route, "/events").query("count", 5).query("gate", gate)
        var events = try await client.events(for: request).makeAsyncIterator()
        for number in 0..<5 {
            #expect(try await events.next() == Self.event(number))
            if number < 4 { try await server.open(gate, by: client) }
        }
        #expect(try await events.next() == nil)
    }

    @Test(arguments: EventServer.Route.prompt)
    func `the comments that keep a connection open arrive on request`(_ route: EventServer.Route) async throws {
        let server = try await EventServer.shared
        let (client, gate) = (server.makeClient(), EventServer.makeGate())
        let request = server.request(route, "/events").query("count", 2).query("gate", gate).query("ping", 0.01)
        var comments = 0
        let options = EventStreamOptions(includesComments: true)
        for try await event in try await client.events(for: request, options: options) {
            guard let comment = event.comment else { continue }
            #expect(comment.hasPrefix("ping - "))
            comments += 1
            if comments == 3 { break }
        }
        #expect(comments == 3)
    }

    @Test(arguments: EventServer.Route.prompt)
    func `leaving the loop ends the stream at the server`(_ route: EventServer.Route) async throws {
        let server = try await EventServer.shared
        let (client, gate) = (server.makeClient(), EventServer.makeGate())
        let request = server.request(route, "/events").query("count", 5).query("gate", gate)
        for try await event in try await client.events(for: request) {
            #expect(event == Self.event(0))
            break
        }
        try await server.hasEnded(gate)
    }

    @Test(arguments: [EventServer.Route.hypercorn, .hypercornHTTP2, .uvicorn])
    func `cancelling a task that waits for an event ends the stream`(_ route: EventServer.Route) async throws {
        let server = try await EventServer.shared
        let (client, gate) = (server.makeClient(), EventServer.makeGate())
        let request = server.request(route, "/events").query("count", 5).query("gate", gate)
        let arrived = Signal()
        let task = Task {
            await fault { () async throws(ClientError) in
                for try await _ in try await client.events(for: request) { arrived.report() }
            }
        }
        await arrived.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
        try await server.hasEnded(gate)
    }

    @Test(arguments: EventServer.Route.allCases)
    func `the answer to a question ends with its final event, and frees the connection`(
        _ route: EventServer.Route
    ) async throws {
        let server = try await EventServer.shared
        let client = server.makeClient()
        let question = Delta(text: "to be or not to be")
        let request = server.request(route, "/answers", method: .post).body(json: question)
        // The client reads the end of a response in the background.
        try await eventually("a call uses the connection of an earlier one") {
            let stream = try await client.events(for: request, as: Delta.self, until: .data("[DONE]"))
            var words: [String] = []
            for try await delta in stream { words.append(delta.text) }
            #expect(words.joined(separator: " ") == question.text)
            return stream.response.isConnectionReused
        }
    }

    @Test func `a proxy without its server is an error that the status explains`() async throws {
        let server = try await EventServer.shared
        let error = await failure { () async throws(ClientError) in
            try await server.makeClient().events(for: server.requestToNobody)
        }
        #expect(error?.status == .badGateway)
        guard case .validationFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
