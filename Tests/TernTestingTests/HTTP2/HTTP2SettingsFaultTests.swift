// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("HTTP/2 faults: settings", .hangLimit)
struct HTTP2SettingsFaultTests {
    private static func post(_ byteCount: Int) -> Request {
        Request(.post, "http://test/").body(data: Data(count: byteCount))
    }

    // MARK: Windows

    @Test func `an upload into a closed window waits until its time limit`() async throws {
        let scene = HTTP2FaultScene([.closedWindow])
        let call = Task { try await scene.text(Self.post(100_000).timeout(.seconds(30))) }
        try await scene.clock.waitForScheduled(within: .seconds(30))
        try await scene.connector.waitForOpenStreams(1)
        scene.clock.advance(by: .seconds(30))
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect(error?.fault == .timedOut(.call))
        #expect(scene.server.requests.isEmpty, "the script waits for the whole content")
        #expect(try await scene.text() == "1/3", "a request without content needs no window")
    }

    @Test func `a window that closes at a request stops its content`() async throws {
        let scene = HTTP2FaultScene([.settings(atRequest: 2, initialWindowByteCount: 0)])
        #expect(try await scene.text(Self.post(200_000)) == "1/1")
        let call = Task { try await scene.text(Self.post(200_000).timeout(.seconds(30))) }
        try await scene.connector.waitForOpenStreams(1)
        try await scene.clock.waitForScheduled(within: .seconds(30))
        scene.clock.advance(by: .seconds(30))
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect(error?.fault == .timedOut(.call))
        #expect(scene.server.requests.count == 1)
    }

    @Test func `after a request, even one byte waits for a closed window`() async throws {
        let scene = HTTP2FaultScene([.closedWindow])
        #expect(try await scene.text() == "1/1")
        let call = Task { try await scene.text(Self.post(1).timeout(.seconds(30))) }
        try await scene.connector.waitForOpenStreams(1)
        try await scene.clock.waitForScheduled(within: .seconds(30))
        scene.clock.advance(by: .seconds(30))
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect(error?.fault == .timedOut(.call))
    }

    @Test(arguments: [1, 100])
    func `content passes through a small window`(byteCount: Int) async throws {
        let scene = HTTP2FaultScene([.settings(initialWindowByteCount: byteCount)]) { request in
            .response(body: "\(request.body.count)")
        }
        _ = try await scene.text()
        #expect(try await scene.text(Self.post(250)) == "250")
    }

    // MARK: The number of streams

    @Test(arguments: [
        (HTTP2Fault.settings(maximumConcurrentStreams: 1), 1),
        (.settings(atRequest: 1, maximumConcurrentStreams: 1), 1),
        (.settings(atRequest: 1, maximumConcurrentStreams: 2), 2), (.settings(atRequest: 5), 3),
    ])
    func `settings lower the number of streams`(fault: HTTP2Fault, count: Int) async throws {
        let mayEnd = Observed(false)
        let running = Observed((now: 0, most: 0))
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = HTTP2FaultScene([fault], configuration: configuration) { request in
            running.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            if request.target == "/held" { await mayEnd.wait { $0 } }
            running.update { $0.now -= 1 }
            return .response()
        }
        _ = try await scene.text()
        let calls = (1...3).map { _ in Task { try await scene.text(Request(.get, "http://test/held")) } }
        await running.wait { $0.now == count }
        // The gateway counts a stream after it has given the request to the script.
        try await scene.connector.waitForOpenStreams(count)
        mayEnd.update { $0 = true }
        for call in calls { _ = try await call.value }
        #expect(running.value.most == count)
        #expect(scene.server.requests.count == 4)
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `calls beyond the number of streams use another connection`() async throws {
        let hold = Observed(false)
        let scene = HTTP2FaultScene([.settings(atRequest: 1, maximumConcurrentStreams: 1)]) { request in
            if request.target == "/held" { await hold.wait { $0 } }
            return .response(body: "\(request.connection)")
        }
        #expect(try await scene.text() == "1")
        let held = Task { try await scene.text(Request(.get, "http://test/held")) }
        try await scene.server.waitForRequests(2)
        #expect(try await scene.text() == "2")
        hold.update { $0 = true }
        #expect(try await held.value == "1")
    }
}
