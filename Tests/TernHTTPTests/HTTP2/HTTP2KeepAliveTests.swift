// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
@testable import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("HTTP/2: servers that fall silent", .hangLimit)
struct HTTP2KeepAliveTests {
    private let asked = Journal<HTTP2Frame>()

    /// A server that notes each PING instead of answering it, and answers requests for `/quick`.
    private func silentScene(_ change: (inout HTTPTransportConfiguration) -> Void = { _ in }, _ isOpen: Flag) -> Scene {
        let configuration = HTTPTransportConfiguration.priorKnowledge.with { configuration in
            configuration.pool.idleTimeout = .patient
            change(&configuration)
        }
        return Scene.http2(configuration) { [asked = self.asked] peer in
            try await peer.serveInSilence(noting: asked, raising: isOpen)
        }
    }

    /// Expects the error of a connection that the system has given up.
    private func expectSilence(
        _ failure: ClientError?,
        in phase: ClientError.Phase,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .connectionLost(.system, let context)? = failure else {
            Issue.record("\(String(describing: failure))", sourceLocation: sourceLocation)
            return
        }
        #expect(context.phase == phase, sourceLocation: sourceLocation)
    }

    @Test func `a server that does not answer is given up, with all calls`() async throws {
        let isOpen = Flag()
        let scene = self.silentScene({ _ in }, isOpen)
        let calls = [Task { await scene.error(of: "/") }]
        await isOpen.wait()
        try await scene.clock.waitForScheduled(in: .seconds(30))
        scene.clock.advance(by: .seconds(30) - .nanoseconds(1))
        #expect(self.asked.all.isEmpty)
        scene.clock.advance(by: .nanoseconds(1))
        #expect(await self.asked.wait(for: 1) == [.ping(0)])
        scene.clock.advance(by: .seconds(15) - .nanoseconds(1))
        #expect(scene.connector.openCount == 1)
        scene.clock.advance(by: .nanoseconds(1))
        for call in calls { self.expectSilence(await call.value, in: .head) }
        try await scene.expectSettled(idle: 0)
    }

    @Test func `a body that falls silent is cut off`() async throws {
        let isOpen = Flag()
        let scene = self.silentScene({ _ in }, isOpen)
        let calling = Task { await scene.error(of: "/slow") }
        await isOpen.wait()
        scene.clock.advance(by: .seconds(30))
        _ = await self.asked.wait(for: 1)
        scene.clock.advance(by: .seconds(15))
        #expect(await calling.value?.ending == Ending(.truncated(received: 4, expected: nil), in: .body))
        try await scene.expectSettled(idle: 0)
    }

    @Test func `a server that answers is waited for`() async throws {
        let (isOpen, hasAnswered) = (Flag(), Flag())
        let mayRespond = Suspension<Void>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.roundTrip()
            isOpen.raise()
            for _ in 0..<4 {
                guard try await peer.wait(for: { $0.isPing }) != nil else { return }
                try await peer.roundTrip()  // the client has the answer
                hasAnswered.raise()
            }
            await mayRespond.wait(onCancel: ())
            try await peer.respond(to: request, "late")
            await peer.connection.waitForEnd()
        }
        let calling = Task { try await scene.answer() }
        await isOpen.wait()
        for count in 1...4 {
            scene.clock.advance(by: .seconds(30))
            await hasAnswered.wait(for: count)
        }
        scene.clock.advance(by: .seconds(15))
        mayRespond.resume(with: ())
        #expect(try await calling.value == Answer(text: "late"))
        try await scene.expectSettled(idle: 1)
    }

    @Test func `an idle connection is not asked`() async throws {
        let isOpen = Flag()
        let scene = self.silentScene({ _ in }, isOpen)
        #expect(try await scene.get("/quick").text == "quick")
        await isOpen.wait()
        scene.clock.advance(by: .seconds(100))
        #expect(try await scene.get("/quick") == Answer(text: "quick", isReused: true))
        await isOpen.wait(for: 2)
        #expect(self.asked.all.isEmpty)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `the silence of an idle connection does not count for the next call`() async throws {
        let isOpen = Flag()
        let scene = self.silentScene({ _ in }, isOpen)
        _ = try await scene.get("/quick")
        await isOpen.wait()
        scene.clock.advance(by: .seconds(29))
        let calling = Task { await scene.error(of: "/") }
        await isOpen.wait(for: 2)
        scene.clock.advance(by: .seconds(29))
        #expect(scene.connector.openCount == 1)
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
        #expect(self.asked.all.isEmpty)
    }

    @Test func `an idle connection is asked if that was chosen`() async throws {
        let isOpen = Flag()
        let scene = self.silentScene({ $0.http2.keepAlive = HTTP2KeepAlive(pingsIdleConnections: true) }, isOpen)
        _ = try await scene.get("/quick")
        await isOpen.wait()
        scene.clock.advance(by: .seconds(30))
        _ = await self.asked.wait(for: 1)
        scene.clock.advance(by: .seconds(15))
        try await scene.expectSettled(idle: 0)
    }

    @Test func `an idle connection is asked if the server spoke before the first call`() async throws {
        let (asked, clock, isSettled) = (self.asked, ManualClock(), Flag())
        let connector = MemoryConnector(clock: clock) { connection in
            let peer = HTTP2Peer(connection)
            try await peer.handshake()
            try await peer.roundTrip()  // a late acknowledgement of the settings would count as an answer
            isSettled.raise()
            while let frame = try await peer.nextFrame(isAnswered: false) { if frame.isPing { asked.note(frame) } }
        }
        let connection = try await connector.connect(to: .host("test", port: 80), deadline: nil)
        let configuration = HTTPTransportConfiguration.priorKnowledge.with {
            $0.http2.keepAlive = HTTP2KeepAlive(pingsIdleConnections: true)
        }
        let session = HTTP2Session(connection, ExchangeSettings(configuration), clock: clock)
        session.start { _ in }
        await isSettled.wait()
        try await clock.waitForScheduled(in: .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(await asked.wait(for: 1) == [.ping(0)])
        clock.advance(by: .seconds(15))
        try await eventually("the connection is given up") { connector.openCount == 0 }
    }

    @Test func `no server is asked if that was chosen`() async throws {
        let isOpen = Flag()
        let scene = self.silentScene({ $0.http2.keepAlive = nil }, isOpen)
        let calling = Task { await scene.error(of: "/") }
        await isOpen.wait()
        scene.clock.advance(by: .seconds(1000))
        _ = try await scene.get("/quick")
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
        #expect(self.asked.all.isEmpty)
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `a server that reports an error, and then neither answers nor closes, is given up`() async throws {
        let hasReported = Flag()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard try await peer.nextRequest() != nil else { return }
            try await peer.send(.goAway(last: 0x7FFF_FFFF, HTTP2Code.protocolError))
            try await peer.roundTrip()
            hasReported.raise()
            await peer.connection.waitForEnd()
        }
        let calling = Task { await scene.error(of: "/") }
        await hasReported.wait()
        scene.clock.advance(by: .seconds(15) - .nanoseconds(1))
        #expect(scene.connector.openCount == 1)
        scene.clock.advance(by: .nanoseconds(1))
        self.expectSilence(await calling.value, in: .head)
        try await scene.expectSettled(idle: 0)
    }

    @Test func `a server that has reported an error may finish what it began`() async throws {
        let hasReported = Flag()
        let mayRespond = Suspension<Void>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.send(.goAway(last: request.stream, HTTP2Code.enhanceYourCalm))
            try await peer.roundTrip()
            hasReported.raise()
            await mayRespond.wait(onCancel: ())
            try await peer.respond(to: request, "last")
            await peer.connection.waitForEnd()
        }
        let calling = Task { try await scene.answer() }
        await hasReported.wait()
        scene.clock.advance(by: .seconds(14))
        mayRespond.resume(with: ())
        #expect(try await calling.value == Answer(text: "last"))
        try await scene.expectSettled(idle: 0)
    }
}
