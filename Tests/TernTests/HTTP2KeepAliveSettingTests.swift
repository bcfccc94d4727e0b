// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernConnections
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Client.Configuration.http2KeepAlive", .hangLimit)
struct HTTP2KeepAliveSettingTests {
    /// A client that uses HTTP/2, and a server that notes each PING.
    private struct Scene {
        let clock = ManualClock()
        let connector: MemoryConnector
        let client: Client
        /// The PINGs that ask whether the server is alive.
        let asked: Journal<HTTP2Frame>
        /// Raised for each request, and for each PING that the server answers, when the client has handled everything.
        let isOpen: Flag

        init(answersPings: Bool = false, _ change: (inout Client.Configuration) -> Void = { _ in }) {
            let (asked, isOpen) = (Journal<HTTP2Frame>(), Flag())
            var configuration = Client.Configuration.patient
            configuration.httpVersion = .http2PriorKnowledge
            configuration.http2KeepAlive = Client.Configuration().http2KeepAlive
            change(&configuration)
            self.connector = MemoryConnector(clock: self.clock) { connection in
                try await HTTP2Peer(connection).serveInSilence(
                    noting: asked,
                    raising: isOpen,
                    answersPings: answersPings
                )
            }
            self.client = Client(configuration: configuration, connector: self.connector, clock: self.clock)
            (self.asked, self.isOpen) = (asked, isOpen)
        }

        func get(_ path: String) async throws(ClientError) -> String {
            try await self.client.string(for: Request(.get, "http://test\(path)"))
        }

        /// Begins a call that the server does not answer, and returns when its connection has a timer.
        func beginWaiting(timer: Duration?) async throws -> Task<ClientError?, Never> {
            let calling = Task { await failure { () async throws(ClientError) in try await self.get("/") } }
            await self.isOpen.wait()
            if let timer { try await self.clock.waitForScheduled(in: timer) }
            return calling
        }
    }

    /// Expects the error of a call whose connection the client has given up.
    private func expectSilence(_ failure: ClientError?, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .connectionLost(.system, _)? = failure else {
            Issue.record("\(String(describing: failure))", sourceLocation: sourceLocation)
            return
        }
    }

    @Test func `by default, a server that is silent during a call is pinged after 30 seconds`() async throws {
        let scene = Scene()
        let calling = try await scene.beginWaiting(timer: .seconds(30))
        scene.clock.advance(by: .seconds(30) - .nanoseconds(1))
        #expect(scene.asked.all.isEmpty)
        scene.clock.advance(by: .nanoseconds(1))
        #expect(await scene.asked.wait(for: 1) == [.ping(0)])
        scene.clock.advance(by: .seconds(15) - .nanoseconds(1))
        #expect(scene.connector.openCount == 1)
        scene.clock.advance(by: .nanoseconds(1))
        self.expectSilence(await calling.value)
        try await scene.connector.waitForOpen(0)
    }

    @Test func `by default, an idle connection is not pinged`() async throws {
        let scene = Scene()
        #expect(try await scene.get("/quick") == "quick")
        await scene.isOpen.wait()
        scene.clock.advance(by: .seconds(1000))
        #expect(try await scene.get("/quick") == "quick")
        await scene.isOpen.wait(for: 2)
        #expect(scene.asked.all.isEmpty)
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `the times are those of the settings`() async throws {
        let scene = Scene { $0.http2KeepAlive = HTTP2KeepAlive(interval: .seconds(5), timeout: .seconds(2)) }
        let calling = try await scene.beginWaiting(timer: .seconds(5))
        scene.clock.advance(by: .seconds(5) - .nanoseconds(1))
        #expect(scene.asked.all.isEmpty)
        scene.clock.advance(by: .nanoseconds(1))
        #expect(await scene.asked.wait(for: 1) == [.ping(0)])
        scene.clock.advance(by: .seconds(2))
        self.expectSilence(await calling.value)
        try await scene.connector.waitForOpen(0)
    }

    @Test func `without the settings, no server is pinged`() async throws {
        let scene = Scene { $0.http2KeepAlive = nil }
        let calling = try await scene.beginWaiting(timer: nil)
        scene.clock.advance(by: .seconds(1000))
        #expect(try await scene.get("/quick") == "quick")
        await scene.isOpen.wait(for: 2)
        #expect(scene.asked.all.isEmpty)
        #expect(scene.connector.attemptCount == 1)
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
    }

    @Test func `an idle connection is pinged if the settings say so, and closed if it is dead`() async throws {
        let scene = Scene { $0.http2KeepAlive = HTTP2KeepAlive(pingsIdleConnections: true) }
        #expect(try await scene.get("/quick") == "quick")
        await scene.isOpen.wait()
        try await scene.clock.waitForScheduled(in: .seconds(30))
        scene.clock.advance(by: .seconds(30))
        #expect(await scene.asked.wait(for: 1) == [.ping(0)])
        #expect(scene.connector.openCount == 1)
        scene.clock.advance(by: .seconds(15))
        try await scene.connector.waitForOpen(0)
        #expect(try await scene.get("/quick") == "quick")
        #expect(scene.connector.attemptCount == 2)
    }

    @Test func `an idle connection whose server answers the PINGs is kept`() async throws {
        let scene = Scene(answersPings: true) { $0.http2KeepAlive = HTTP2KeepAlive(pingsIdleConnections: true) }
        #expect(try await scene.get("/quick") == "quick")
        await scene.isOpen.wait()
        for count in 1...4 {
            try await scene.clock.waitForScheduled(within: .seconds(30))
            scene.clock.advance(by: .seconds(30))
            #expect(await scene.asked.wait(for: count).count == count)
            await scene.isOpen.wait(for: 1 + count)  // the client has the answer
        }
        #expect(try await scene.get("/quick") == "quick")
        #expect(scene.connector.attemptCount == 1)
    }
}
