// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Tests that cannot go on", .hangLimit)
struct StallTests {
    private struct Mistake: Error {}

    /// Returns the error text of a wait whose time limit is zero.
    private func stall(_ wait: @Sendable () async throws(TestStallError) -> Void) async -> String? {
        do {
            try await WaitLimit.$current.withValue(.zero) { try await wait() }
            return nil
        } catch {
            return (error as? TestStallError)?.description
        }
    }

    @Test func `a clock says which timers there are`() async {
        let clock = ManualClock()
        let none = await self.stall { () async throws(TestStallError) in try await clock.waitForScheduled() }
        #expect(none == "The test waited 0.0 seconds for 1 timer, but found none.")
        let action = clock.schedule(at: clock.now.advanced(by: .seconds(3))) {}
        for wait in [
            await self.stall { () async throws(TestStallError) in try await clock.waitForScheduled(in: .seconds(2)) },
            await self.stall { () async throws(TestStallError) in try await clock.waitForScheduled(within: .seconds(2))
            },
        ] {
            #expect(wait?.contains("2.0 seconds, but found timers that are due in 3.0 seconds") == true)
        }
        let met = await self.stall { () async throws(TestStallError) in
            try await clock.waitForScheduled(within: .seconds(3))
        }
        #expect(met == nil)
        withExtendedLifetime(action) {}
    }

    @Test func `servers, connectors, transports and delegates say what came`() async throws {
        let server = ScriptedServer { _ in .response() }
        let connector = MemoryConnector(server)
        let client = Client(connector: connector)
        let delegate = RecordingDelegate()
        _ = try await client.data(for: Request(.put, "http://test/a?b"), delegate: delegate)
        #expect(
            await self.stall { () async throws(TestStallError) in try await server.waitForRequests(2) }?
                .hasSuffix("for 2 requests, but found PUT /a?b.") == true
        )
        #expect(
            await self.stall { () async throws(TestStallError) in try await connector.waitForAttempts(2) }?
                .hasSuffix("for 2 attempts to connect, but found one to test:80.") == true
        )
        #expect(
            await self.stall { () async throws(TestStallError) in try await connector.waitForOpen(0) }?
                .hasSuffix("for 0 open connections, but found 1.") == true
        )
        #expect(
            await self.stall { () async throws(TestStallError) in try await connector.waitForOpenStreams(1) }?
                .hasSuffix("for 1 open stream, but found 0.") == true
        )
        #expect(
            await self.stall { () async throws(TestStallError) in try await connector.waitForServers() }?
                .hasSuffix("but found servers still running on connection 1.") == true
        )
        #expect(
            await self.stall { () async throws(TestStallError) in try await delegate.waitForEvents(100) }?
                .contains("for 100 events, but found") == true
        )
        let transport = ScriptedTransport(.response())
        #expect(
            await self.stall { () async throws(TestStallError) in try await transport.waitForCalls(1) }?
                .hasSuffix("for 1 call, but found none.") == true
        )
    }

    /// Returns the error text of a call that a script cannot answer.
    private func failure(_ client: Client, _ request: Request = Request(url: testURL)) async -> String? {
        let error = await #expect(throws: ClientError.self) { try await client.data(for: request) }
        guard case .interceptorFailed? = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return error?.description
    }

    @Test func `a transport without an answer names the call`() async throws {
        let client = Client(transport: ScriptedTransport(.response()))
        _ = try await client.data(from: testURL)
        let text = await self.failure(client, Request(.delete, "http://test/a"))
        #expect(text?.contains("The script has no answer for call 2, DELETE http://test") == true)
    }

    @Test func `a transport that never answers ends`() async {
        let client = Client(transport: ScriptedTransport(.hang))
        let text = await WaitLimit.$current.withValue(.zero) { await self.failure(client) }
        #expect(text?.contains("which the script never answers") == true)
    }

    @Test func `a step that waits for a request before the answer names itself`() async {
        let server = ScriptedServer(steps: [.receive, .respond(.response())])
        let text = await self.failure(Client(connector: MemoryConnector(server)))
        #expect(text?.contains("Step 2 of 2 on connection 1 waits for another request") == true)
    }

    @Test func `a closure that throws is told to the call`() async {
        let client = Client(connector: MemoryConnector(answer: { _ in throw Mistake() }))
        let text = await self.failure(client)
        #expect(text?.contains("The server of connection 1 threw Mistake()") == true)
        let other = Client(
            connector: MemoryConnector(connection: { connection in
                _ = try await connection.readRequest()
                throw Mistake()
            })
        )
        #expect(await self.failure(other)?.contains("threw Mistake()") == true)
    }

    @Test func `a server that waits for more than comes says for what`() async {
        let connector = WaitLimit.$current.withValue(.zero) {
            MemoryConnector(connection: { connection in
                _ = try await connection.readRequest()
                _ = try await connection.readBytes(5)
            })
        }
        let text = await self.failure(Client(connector: connector))
        #expect(text?.contains("waited 0.0 seconds for 5 bytes, of which 0 arrived") == true)
    }

    /// Two tests that compute for long can keep all threads of a small machine.
    @Test func `time in which no task gets a thread does not count`() async {
        let clock = ManualClock()
        let computing = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Task.detached {
                let end = ContinuousClock.now.advanced(by: .milliseconds(500))
                while ContinuousClock.now < end {}
            }
        }
        let scheduling = Task.detached { clock.schedule(at: clock.now.advanced(by: .seconds(1))) {} }
        await #expect(throws: Never.self) {
            try await WaitLimit.$current.withValue(.milliseconds(200)) { try await clock.waitForScheduled() }
        }
        for task in computing { await task.value }
        withExtendedLifetime(await scheduling.value) {}
    }
}
