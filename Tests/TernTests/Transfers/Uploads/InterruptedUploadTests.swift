// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A resumable upload that its caller ends", .hangLimit)
struct InterruptedUploadTests {
    /// Begins a call whose server has 40 bytes and then does nothing more, and waits until the client knows it.
    private func stalled(
        _ scene: UploadScene,
        _ request: Request = Request(.post, UploadScene.url)
    ) async throws -> Task<ResumedUpload, any Error> {
        let delegate = RecordingDelegate()
        let calling = Task { try await scene.upload(request, delegate: delegate) }
        await scene.server.waitForStops()
        if scene.uploadProtocol != .tus { try await scene.waitForNotices(2, delegate) }
        return calling
    }

    /// Checks that a later call sends only the bytes that the server does not have.
    private func expectContinuation(
        _ scene: UploadScene,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        scene.expectUnfinished(sourceLocation: sourceLocation)
        let later = scene.later()
        let result = try await later.upload()
        later.expectComplete(sourceLocation: sourceLocation)
        #expect(result.resumedByteCount == 40, sourceLocation: sourceLocation)
        #expect(scene.contentByteCounts.last == 60, sourceLocation: sourceLocation)
    }

    @Test(arguments: UploadScene.protocols)
    func `cancellation keeps the record, and a later call continues`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(firstContent: .stall(afterByteCount: 40), by: uploadProtocol)
        let calling = try await self.stalled(scene)
        calling.cancel()
        #expect(await scene.error(of: calling)?.fault == .cancelled)
        let record = try scene.storedRecord()
        #expect(record.acknowledgedByteCount == (uploadProtocol == .tus ? 0 : 40))
        try await self.expectContinuation(scene)
    }

    @Test(arguments: UploadScene.protocols)
    func `cancellation while the client asks for the offset keeps the record`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let count = scene.requests.count
        scene.server.plan(.respond(.stall))
        let calling = Task { try await scene.upload() }
        await scene.server.waitForRequests(count + 1)
        calling.cancel()
        #expect(await scene.error(of: calling)?.fault == .cancelled)
        #expect(scene.methods.last == .head)
        try await self.expectContinuation(scene)
    }

    @Test(arguments: UploadScene.protocols)
    func `cancellation before the server has named an upload leaves nothing`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(.respond(.stall), by: uploadProtocol)
        let calling = Task { try await scene.upload() }
        await scene.server.waitForRequests(1)
        calling.cancel()
        #expect(await scene.error(of: calling)?.fault == .cancelled)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test func `a task that is cancelled already sends nothing and leaves nothing`() async throws {
        let scene = try UploadScene()
        let mayCall = Flag()
        let calling = Task {
            await mayCall.wait()
            return try await scene.upload()
        }
        calling.cancel()
        mayCall.raise()
        #expect(await scene.error(of: calling)?.fault == .cancelled)
        #expect(scene.requests.isEmpty)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: UploadScene.protocols)
    func `cancellation during the wait before a repetition ends the call at once`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(firstContent: .cut(afterByteCount: 40), by: uploadProtocol)
        let rules = scene.rules(.steady(.seconds(5)))
        let calling = Task { try await scene.upload(Request(.post, UploadScene.url), rules) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        let count = scene.requests.count
        calling.cancel()
        #expect(await scene.error(of: calling)?.ending == Ending(.cancelled, in: .retry))
        #expect(scene.requests.count == count)
        try await self.expectContinuation(scene)
    }

    // MARK: Time limits

    @Test(arguments: UploadScene.protocols)
    func `the limit of the call ends it in the body, and keeps the record`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(firstContent: .stall(afterByteCount: 40), by: uploadProtocol)
        let calling = try await self.stalled(scene, Request(.post, UploadScene.url).timeout(.seconds(7)))
        try await scene.clock.waitForScheduled(within: .seconds(7))
        scene.clock.advance(by: .seconds(7))
        #expect(await scene.error(of: calling)?.fault == .timedOut(.call))
        try await self.expectContinuation(scene)
    }

    @Test func `the call ends at once if the next attempt would be too late`() async throws {
        let scene = try UploadScene(.cut(afterByteCount: 40))
        let request = Request(.post, UploadScene.url).timeout(.seconds(7))
        let error = await scene.failure(request, scene.rules(.steady(.seconds(7))))
        #expect(error?.ending == .timedOut(.call, after: .seconds(7), in: .retry))
        #expect(scene.requests.count == 1)
        try await self.expectContinuation(scene)
    }

    @Test func `the call waits before a repetition as long as the policy says`() async throws {
        var configuration = Client.Configuration()
        configuration.timeouts = .none
        let scene = try UploadScene(
            firstContent: .cut(afterByteCount: 40),
            by: .draft(.eight),
            configuration: configuration
        )
        let rules = scene.rules(.steady(.seconds(5)))
        let calling = Task { try await scene.upload(Request(.post, UploadScene.url), rules) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .milliseconds(4999))
        #expect(scene.requests.count == 1)
        scene.clock.advance(by: .milliseconds(1))
        _ = try await calling.value
        scene.expectComplete()
    }

    @Test func `a server that stops reading is asked for the offset after the limit of the first byte`() async throws {
        var configuration = Client.Configuration()
        configuration.timeouts = Timeouts(connect: nil, connection: nil, firstByte: .seconds(60), idle: nil)
        let scene = try UploadScene(.stall(afterByteCount: 40), configuration: configuration)
        let calling = try await self.stalled(scene)
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.clock.advance(by: .seconds(60))
        _ = try await calling.value
        scene.expectComplete()
        #expect(scene.contentByteCounts == [40, 0, 60])
    }

    // MARK: The network

    @Test(arguments: UploadScene.protocols)
    func `a server that cannot be reached is tried again`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(by: uploadProtocol)
        scene.connector.plan(.refuse(.notConnected(.refused)), .refuse(.notConnected(.unreachable)))
        try await scene.upload()
        scene.expectComplete()
        #expect(scene.connector.attemptCount == 3)
    }
}
