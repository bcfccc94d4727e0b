// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("ScriptedTransport and RecordingDelegate", .hangLimit)
struct ScriptedTransportTests {
    private let request = Request(.get, "http://test/")

    @Test func `gives each answer once, in order`() async throws {
        let transport = ScriptedTransport(
            .response(.unauthorized, fields: [.wwwAuthenticate: "Basic"]),
            .response(body: "welcome"),
            .failure { .timedOut(.idle, limit: .seconds(1), $0) }
        )
        let client = Client(transport: transport)
        let (_, first) = try await client.data(for: self.request)
        #expect(first.statusCode == 401)
        #expect(first[.wwwAuthenticate] == "Basic")
        #expect(try await client.data(for: self.request).0 == Data("welcome".utf8))
        let error = await #expect(throws: ClientError.self) { try await client.data(for: self.request) }
        #expect(error?.isTimeout == true)
        #expect(transport.calls.count == 3)
    }

    @Test func `hangs until it is cancelled`() async throws {
        let transport = ScriptedTransport(.hang)
        let client = Client(transport: transport)
        let request = self.request
        let calling = Task { try await client.data(for: request) }
        try await transport.waitForCalls(1)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.isCancellation == true)
    }

    @Test func `answers by a closure that sees the call`() async throws {
        let transport = ScriptedTransport(
            .init { call async throws(ClientError) in
                HTTPReply(response: Response(url: call.request.url), body: ResponseBody(call.request.method.rawValue))
            }
        )
        let (data, _) = try await Client(transport: transport).data(for: Request(.put, "http://test/"))
        #expect(data == Data("PUT".utf8))
    }

    @Test func `a delegate remembers what it was told, and a test can wait for it`() async throws {
        let delegate = RecordingDelegate()
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "hello") })
        async let told: Void = delegate.waitForEvents(1)
        _ = try await client.data(for: self.request, delegate: delegate)
        try await told
        #expect(delegate.events.suffix(2) == [.collectedMetrics, .completed(hasFailed: false)])
        #expect(delegate.taskIDs.count == 1)
    }
}
