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

@Suite("Bodies that a call holds while it asks again", .hangLimit)
struct HeldBodiesTests {
    private static let oneConnection = HTTPTransportConfiguration(
        pool: PoolConfiguration(maximumConnectionsPerHost: 1)
    )

    private func fault(of body: ResponseBody) async -> Fault? {
        await failure { () async throws(ClientError) in try await body.text() }?.fault
    }

    @Test func `a body that the call left unread is discarded when the call has to wait`() async throws {
        let stalled = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
        let scene = Scene(ScriptedServer { _ in .raw(stalled, ending: .stall) }, Self.oneConnection)
        let call = try scene.call(Request(.get, "http://test/"))
        let first = try await scene.transport.respond(to: call)
        var changed = call
        changed.request = changed.request.header("X", "1")
        changed.attempt += 1
        let second = try await scene.transport.respond(to: changed)
        #expect(!second.response.isConnectionReused)
        #expect(await self.fault(of: first.body) == .bodyMisused(.discarded))
        second.body.discard()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a body that has arrived is discarded, and its connection serves the call again`() async throws {
        let scene = Scene(ScriptedServer { _ in .chunked(["one", "two"]) }, Self.oneConnection)
        let call = try scene.call(Request(.get, "http://test/"))
        let first = try await scene.transport.respond(to: call)
        let second = try await scene.transport.respond(to: call)
        #expect(second.response.isConnectionReused)
        #expect(try await second.body.text() == "onetwo")
        #expect(await self.fault(of: first.body) == .bodyMisused(.discarded))
        scene.expectNoLeak(idle: 1)
    }

    /// Returns a scene whose server waits within the body of its first response.
    private func scene(_ mayGoOn: Suspension<Void>) -> Scene {
        let answer = ScriptedServer { _ in .response() }
        return Scene(answer, Self.oneConnection) { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
            await mayGoOn.wait(onCancel: ())
            try await connection.write("late")
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")
            await connection.waitForEnd()
        }
    }

    @Test func `a body that a task reads is left to the task, and the call waits for its end`() async throws {
        let mayGoOn = Suspension<Void>()
        let scene = self.scene(mayGoOn)
        var timeouts = Timeouts.none
        timeouts.idle = .seconds(10)
        timeouts.connection = .seconds(20)
        let call = try scene.call(Request(.get, "http://test/"), timeouts: timeouts)
        let first = try await scene.transport.respond(to: call)
        let reading = Task { try await first.body.text() }
        try await scene.clock.waitForScheduled(in: .seconds(10))  // the time limit of the waiting read
        let asking = Task { try await scene.transport.respond(to: call).body.text() }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        // The call sets this limit after it has looked for bodies to discard. If it looked later, it might find the
        // body between two reads.
        try await scene.clock.waitForScheduled(in: .seconds(20))
        mayGoOn.resume(with: ())
        #expect(try await reading.value == "late")
        #expect(try await asking.value == "next")
        scene.expectNoLeak(idle: 1)
    }

    @Test func `the body of another call is left alone`() async throws {
        let mayGoOn = Suspension<Void>()
        let scene = self.scene(mayGoOn)
        let first = try await scene.reply()
        let other = Task { try await scene.answer() }
        try await eventually("the other call waits") { scene.transport.connectionCounts.waiting == 1 }
        mayGoOn.resume(with: ())
        #expect(try await first.body.text() == "late")
        #expect(try await other.value == Answer(text: "next", isReused: true))
        scene.expectNoLeak(idle: 1)
    }
}
