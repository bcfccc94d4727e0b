// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

@Suite("Event streams: opened again", .hangLimit)
struct EventResumptionTests {
    private static let soon = EventReconnectionPolicy(
        initialDelay: .milliseconds(1),
        maximumDelay: .milliseconds(10),
        resumption: .get
    )

    /// A stream that goes on until the server answers 204.
    private struct Course {
        /// The method and the Last-Event-ID of each request, as the server got them.
        var requests: [String] = []
        var ids: [String] = []
        var faults: [Fault?] = []

        mutating func read(_ events: ReconnectingEventStream) async throws {
            for try await element in events {
                switch element {
                case .connected(let response):
                    let method = try #require(HTTPField.Name("X-Method"))
                    let last = try #require(HTTPField.Name("X-Last"))
                    self.requests.append([response[method], response[last]].compactMap(\.self).joined(separator: " "))
                case .event(let event): self.ids.append(event.id)
                case .disconnected(let disconnection, _): self.faults.append(disconnection.error?.fault)
                }
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `each event arrives once, in whatever way the responses end`(_ method: HTTPRequest.Method) async throws {
        let server = try await RawServer()
        let path = Request(method, server.url("/events/resumed")).query("count", 10)
        let request = method == .post ? path.body(data: Data("question".utf8)) : path
        var course = Course()
        try await course.read(Client(configuration: .patient).reconnectingEvents(for: request, policy: Self.soon))
        #expect(course.ids == (1...10).map { "\($0)" })
        #expect(course.requests == ["\(method)", "GET 2", "GET 4", "GET 6", "GET 8", "GET 10"])
        let lengths = course.faults.map { fault in
            guard case .truncated(_, nil)? = fault else { return fault == nil ? "whole" : "?" }
            return "truncated"
        }
        #expect(lengths == ["whole", "truncated", "truncated", "whole", "truncated", "whole"])
        try await server.isLeft()
    }

    @Test func `a program that was ended continues after the event that it has seen`() async throws {
        let server = try await RawServer()
        let request = server.get("/events/resumed").query("count", 6)
        let client = Client(configuration: .patient)
        var course = Course()
        try await course.read(client.reconnectingEvents(for: request, lastEventID: "4", policy: Self.soon))
        #expect(course.ids == ["5", "6"])
        #expect(course.requests == ["GET 4", "GET 6"])
    }

    @Test func `a stream continues after its server was restarted`() async throws {
        try await PeerProcess.withFreePorts(1) { ports in
            let arguments = ["-B", Scripts.path("event_log.py"), "\(ports[0])"]
            var process = try PeerProcess("python3", arguments)
            try await process.listens(on: ports)
            let request = Request(.get, "http://127.0.0.1:\(ports[0])/")
            var events = Client(configuration: .patient).reconnectingEvents(for: request, policy: Self.soon)
                .makeAsyncIterator()
            var (ids, restartCount, hasEnded): ([String], Int, Bool) = ([], 0, false)
            while ids.count < 6, let element = try await events.next() {
                switch element {
                case .connected: continue
                case .event(let event):
                    ids.append(event.id)
                    if ids.count == 2 || ids.count == 4 { process.stop() }
                case .disconnected(let disconnection, _):
                    if hasEnded {
                        // No process listens on the port now.
                        #expect(disconnection.error?.fault == .connectionFailed(.refused))
                        process = try PeerProcess("python3", arguments)
                        restartCount += 1
                        hasEnded = false
                    } else if disconnection.error?.fault == .truncated(received: 58, expected: nil) {
                        try await process.ended()  // its connections end before it stops listening
                        hasEnded = true
                    } else {
                        // The new process does not listen yet.
                        #expect(disconnection.error?.fault == .connectionFailed(.refused))
                    }
                }
            }
            #expect(ids == ["1", "2", "3", "4", "5", "6"])
            #expect(restartCount == 2)
        }
    }

    @Test func `a proxy whose server is gone is asked as often as allowed`() async throws {
        let server = try await EventServer.shared
        var policy = Self.soon
        policy.maximumAttemptCount = 3
        let events = server.makeClient().reconnectingEvents(for: server.requestToNobody, policy: policy)
        var attempts: [Int] = []
        let error = await failure { () async throws(ClientError) in
            for try await case .disconnected(let disconnection, let attempt) in events
            where disconnection.retryDelay != nil { attempts.append(attempt) }
        }
        #expect(error?.status == .badGateway)
        #expect(attempts == [1, 2, 3])
    }

    @Test func `a task that is cancelled in a pause leaves nothing`() async throws {
        let server = try await RawServer()
        // The server asks for a pause of an hour, and closes the connection.
        let request = server.get("/events/resumed").query("count", 10).query("retry", 3_600_000)
        let client = Client(configuration: .patient)
        let events = client.reconnectingEvents(for: request, lastEventID: "2", policy: Self.soon)
        let disconnected = Signal()
        let task = Task {
            await fault { () async throws(ClientError) in
                for try await case .disconnected in events { disconnected.report() }
            }
        }
        await disconnected.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
        try await server.isLeft()
    }
}
