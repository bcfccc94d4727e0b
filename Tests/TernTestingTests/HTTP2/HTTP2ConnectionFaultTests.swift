// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("HTTP/2 faults: GOAWAY", .hangLimit)
struct HTTP2ConnectionFaultTests {
    private static let post = Request(.post, "http://test/").body(data: Data("content".utf8))

    @Test func `a request that was not processed goes to another connection`() async throws {
        let scene = HTTP2FaultScene([.goAway(beforeRequest: 2)])
        #expect(try await scene.text() == "1/1")
        #expect(try await scene.text(Self.post) == "2/1")
        #expect(scene.connections == [1, 2], "the script gets the request once")
        try await scene.connector.waitForOpen(1)
    }

    @Test func `the first request may be the one that was not processed`() async throws {
        let scene = HTTP2FaultScene([.goAway(beforeRequest: 1, code: 11)], [.goAway(beforeRequest: 1)])
        #expect(try await scene.text(Self.post) == "3/1")
        try await scene.connector.waitForOpen(1)
    }

    @Test func `a request that was processed is answered, and later ones use another connection`() async throws {
        let hold = Observed(false)
        let scene = HTTP2FaultScene([.goAway(afterRequest: 2)]) { request in
            if request.target == "/held" { await hold.wait { $0 } }
            return .response(body: "\(request.connection)")
        }
        #expect(try await scene.text() == "1")
        let held = Task { try await scene.text(Request(.post, "http://test/held")) }
        try await scene.server.waitForRequests(2)
        // The client may not have read the announcement yet. In that case its request is refused, and sent again.
        #expect(try await scene.text() == "2")
        #expect(scene.connector.openCount == 2)
        hold.update { $0 = true }
        #expect(try await held.value == "1")
        try await scene.connector.waitForOpen(1)
    }

    @Test func `requests before and after the announcement that overlap are all answered`() async throws {
        let scene = HTTP2FaultScene([.goAway(beforeRequest: 4)])
        let texts = try await withThrowingTaskGroup { group in
            for _ in 1...6 { group.addTask { try await scene.text(Self.post) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.filter { $0.hasPrefix("1/") }.sorted() == ["1/1", "1/3", "1/5"])
        #expect(texts.count { $0.hasPrefix("2/") } == 3)
        #expect(scene.server.requests.count == 6)
    }
}
