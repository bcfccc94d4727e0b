// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("HTTP/2: changing the priority of a request (RFC 9218 §7.1)", .hangLimit)
struct HTTP2PriorityTests {
    private let fields = Journal<String?>()
    private let updates = Journal<HTTP2Frame>()

    /// A server that notes priorities, answers `/quick`, and begins the response to others, which ends after an update.
    private func scene() -> Scene {
        Scene.http2 { [fields = self.fields, updates = self.updates] peer in
            try await peer.handshake()
            var open: [HTTP2Headers] = []
            while let frame = try await peer.nextFrame() {
                switch frame {
                case .headers(let request) where request.isRequest:
                    fields.note(request["priority"])
                    if request.path == "/quick" {
                        try await peer.respond(to: request, "quick")
                    } else {
                        try await peer.begin(request)
                        open.append(request)
                    }
                case .priorityUpdate(let stream, _):
                    updates.note(frame)
                    guard let index = open.firstIndex(where: { $0.stream == stream }) else { continue }
                    try await peer.end(open.remove(at: index), "done")
                default: break
                }
            }
        }
    }

    @Test func `a change reaches the server while the response is under way`() async throws {
        let scene = self.scene()
        let priority = AdjustablePriority(RequestPriority(urgency: 6))
        let request = Request(.get, "http://test/slow").priority(priority)
        // When the head is here, the client has begun to follow the changes, so it sends one update.
        let reply = try await scene.reply(to: request)
        #expect(self.fields.all == ["u=6"])
        priority.current = RequestPriority(urgency: 1, isIncremental: true)
        #expect(try await reply.body.text() == "done")
        #expect(self.updates.all == [.priorityUpdate(1, "u=1, i")])
        try await scene.expectSettled(idle: 1)
    }

    @Test func `one priority serves several requests`() async throws {
        let scene = self.scene()
        let priority = AdjustablePriority()
        let calls = (0..<3).map { _ in
            Task { try await scene.reply(to: Request(.get, "http://test/slow").priority(priority)) }
        }
        var replies: [HTTPReply] = []
        for call in calls { replies.append(try await call.value) }
        #expect(self.fields.all == ["u=3", "u=3", "u=3"])
        priority.current = RequestPriority(urgency: 0)
        for reply in replies { #expect(try await reply.body.text() == "done") }
        let updates = self.updates.all
        #expect(updates.count == 3)
        for stream in [1, 3, 5] { #expect(updates.contains(.priorityUpdate(stream, "u=0"))) }
    }

    @Test func `a later request has the new value, and a request that has ended gets no update`() async throws {
        let scene = self.scene()
        let priority = AdjustablePriority()
        let request = Request(.get, "http://test/quick").priority(priority)
        #expect(try await scene.answer(to: request).text == "quick")
        priority.current = RequestPriority(urgency: 5)
        #expect(try await scene.answer(to: request).text == "quick")
        priority.current = RequestPriority(urgency: 5)  // no change
        #expect(try await scene.answer(to: request).text == "quick")
        #expect(self.fields.all == ["u=3", "u=5", "u=5"])
        #expect(self.updates.all.isEmpty)
    }

    @Test func `a cancelled request gets no update, and nothing keeps its stream`() async throws {
        let scene = self.scene()
        let priority = AdjustablePriority()
        let calling = Task { try await scene.answer(to: Request(.get, "http://test/slow").priority(priority)) }
        _ = await self.fields.wait(for: 1)
        calling.cancel()
        await #expect(throws: (any Error).self) { try await calling.value }
        priority.current = RequestPriority(urgency: 0)
        #expect(try await scene.answer(to: Request(.get, "http://test/quick")).text == "quick")
        #expect(self.updates.all.isEmpty)
        try await scene.expectSettled(idle: 1)
    }
}
