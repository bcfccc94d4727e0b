// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("A durable download that its caller ends", .hangLimit)
struct InterruptedTransferTests {
    /// A content that is longer than what the client gathers before it writes.
    private static let long = RangeServer(RangeServer.content(1_000_000))

    /// Begins a call whose server sends 600,000 bytes and then nothing more, and waits until some have arrived.
    private func stalled(
        _ scene: TransferScene,
        _ request: Request = Request(.get, TransferScene.url)
    ) async throws -> Task<ResumedDownload, any Error> {
        let delegate = RecordingDelegate()
        let calling = Task { try await scene.download(request, delegate: delegate) }
        try await delegate.waitForEvents(1)
        return calling
    }

    private func error(of calling: Task<ResumedDownload, any Error>) async -> ClientError? {
        await #expect(throws: ClientError.self) { try await calling.value }
    }

    /// Checks that the bytes so far are in the folder, and that a later call continues with them.
    private func expectContinuation(
        _ scene: TransferScene,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let byteCount = try scene.storedRecord().ranges.byteCount
        #expect(byteCount > 0, sourceLocation: sourceLocation)
        try scene.expectUnfinished(Int(byteCount), sourceLocation: sourceLocation)
        let result = try await scene.download()
        scene.expectComplete(sourceLocation: sourceLocation)
        #expect(result.resumedByteCount == byteCount, sourceLocation: sourceLocation)
        #expect(scene.ranges.last == "bytes=\(byteCount)-", sourceLocation: sourceLocation)
    }

    @Test func `cancellation keeps the bytes, and a later call continues`() async throws {
        let scene = try TransferScene(.stall(afterBodyByteCount: 600_000), resource: Self.long)
        let calling = try await self.stalled(scene)
        calling.cancel()
        #expect(await self.error(of: calling)?.fault == .cancelled)
        try await scene.scene.waitForNoExchange()
        try await self.expectContinuation(scene)
    }

    @Test func `cancellation before the head keeps the bytes of earlier calls`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(.respond(.stall), in: folder)
        let calling = Task { try await scene.download() }
        try await scene.scene.server.waitForRequests(1)
        calling.cancel()
        #expect(await self.error(of: calling)?.fault == .cancelled)
        try scene.expectUnfinished(40)
        try await self.expectContinuation(scene)
    }

    @Test func `a task that is cancelled already sends nothing and leaves nothing`() async throws {
        let scene = try TransferScene()
        let mayCall = Flag()
        let calling = Task {
            await mayCall.wait()
            return try await scene.download()
        }
        calling.cancel()
        mayCall.raise()
        #expect(await self.error(of: calling)?.fault == .cancelled)
        #expect(scene.requests.isEmpty)
        #expect(try scene.folder.names == [])
    }

    @Test func `cancellation during the wait before a repetition ends the call at once`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        let calling = Task { try await scene.download(TransferScene.url, .steady(.seconds(5))) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        calling.cancel()
        #expect(await self.error(of: calling)?.ending == Ending(.cancelled, in: .retry))
        #expect(scene.requests.count == 1)
        try await self.expectContinuation(scene)
    }

    @Test func `the call waits before a repetition as long as the policy says`() async throws {
        var configuration = Client.Configuration()
        configuration.timeouts = .none
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), configuration: configuration)
        let calling = Task { try await scene.download(TransferScene.url, .steady(.seconds(5))) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .milliseconds(4999))
        #expect(scene.requests.count == 1)
        scene.clock.advance(by: .milliseconds(1))
        #expect(try await calling.value.byteCount == 100)
        scene.expectComplete()
    }

    // MARK: Too few bytes

    @Test(
        arguments: [
            (Conduct.shorten(to: 10), .truncated(received: 10, expected: nil)),
            (.end(afterBodyByteCount: 10), .truncated(received: 10, expected: 60)),
        ] as [(Conduct, Fault)]
    )
    func `without repetitions, a body with too few bytes is an error`(conduct: Conduct, fault: Fault) async throws {
        let scene = try TransferScene(conduct, in: await TransferScene.interrupted(after: 40))
        #expect(await scene.fault() == fault)
        try await self.expectContinuation(scene)
    }

    @Test func `a server that sends little pieces comes to an end`() async throws {
        let scene = try TransferScene(later: .shorten(to: 10), in: await TransferScene.interrupted(after: 40))
        let error = await scene.failure(TransferScene.url, .immediate)
        #expect(error?.fault == .truncated(received: 10, expected: nil))
        #expect(error?.status == .partialContent)
        #expect(scene.requests.count == 5)
        try scene.expectUnfinished(90)
    }

    @Test(.http1Only("over HTTP/2, an attempt may fail before the client knows that the connection is gone"))
    func `the error is about the last body, and not about an earlier one`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), later: .shorten(to: 10))
        #expect(await scene.fault(TransferScene.url, .immediate) == .truncated(received: 10, expected: nil))
        #expect(scene.requests.count == 5)
    }

    // MARK: Time limits

    @Test func `the limit of the call ends it, and keeps the bytes`() async throws {
        let scene = try TransferScene(.stall(afterBodyByteCount: 600_000), resource: Self.long)
        let calling = try await self.stalled(scene, Request(.get, TransferScene.url).timeout(.seconds(7)))
        try await scene.clock.waitForScheduled(within: .seconds(7))
        scene.clock.advance(by: .seconds(7))
        #expect(await self.error(of: calling)?.fault == .timedOut(.call))
        try await self.expectContinuation(scene)
    }

    @Test func `the call ends at once if the next attempt would be too late`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        let request = Request(.get, TransferScene.url).timeout(.seconds(7))
        let error = await failure { () async throws(ClientError) in
            try await scene.download(request, .steady(.seconds(7)))
        }
        #expect(error?.ending == .timedOut(.call, after: .seconds(7), in: .retry))
        #expect(scene.requests.count == 1)
        try await self.expectContinuation(scene)
    }

    @Test func `a server that stops sending is asked again after the idle limit`() async throws {
        var configuration = Client.Configuration()
        // The limit ends the wait before HTTP/2 asks whether the server is there.
        configuration.timeouts = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: .seconds(20))
        let scene = try TransferScene(
            .stall(afterBodyByteCount: 600_000),
            resource: Self.long,
            configuration: configuration
        )
        let calling = try await self.stalled(scene)
        try await eventually("the client asks again") {
            // The clock advances only for a read of the first response, so that it does not end the second exchange.
            if scene.requests.count == 1, scene.clock.scheduledDelays.contains(.seconds(20)) {
                scene.clock.advance(by: .seconds(20))
            }
            return scene.requests.count > 1
        }
        #expect(try await calling.value.byteCount == 1_000_000)
        scene.expectComplete()
        #expect((scene.requests.last?.firstByte ?? 0) > 0)
    }

    // MARK: The network

    @Test func `a server that cannot be reached is tried again`() async throws {
        let scene = try TransferScene()
        scene.scene.connector.plan(.refuse(.notConnected(.refused)), .refuse(.notConnected(.unreachable)))
        _ = try await scene.download()
        scene.expectComplete()
        #expect(scene.scene.connector.attemptCount == 3)
    }

    @Test(.http1Only("sends a malformed status line"))
    func `a failure that no repetition can mend ends the call`() async throws {
        let scene = try TransferScene(.respond(.raw("HTTP/1.1 2x0 OK\r\n\r\n", ending: .close)))
        #expect(await scene.failure(TransferScene.url, .immediate) != nil)
        #expect(try scene.folder.names == [])
    }
}
