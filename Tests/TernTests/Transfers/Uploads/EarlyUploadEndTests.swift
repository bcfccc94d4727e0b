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

/// Tests exchanges that end before all content was sent.
@Suite("A resumable upload whose exchange ends early", .hangLimit)
struct EarlyUploadEndTests {
    /// Longer than all buffers between the file and the server.
    private static let longByteCount = 900_000

    private static let drafts: [UploadProtocol] = [.draft(.eight), .draft(.six)]

    @Test(arguments: [100, Self.longByteCount], Self.drafts)
    func `a limit of the length of requests ends the exchange, and parts follow`(
        byteCount: Int,
        uploadProtocol: UploadProtocol
    ) async throws {
        let limit = byteCount * 3 / 10
        let fault = UploadFault.stall(afterByteCount: 40).with(\.limits, "max-append-size=\(limit)")
        let scene = try UploadScene(fault, by: uploadProtocol, byteCount: byteCount)
        let delegate = RecordingDelegate()
        try await scene.upload(delegate: delegate)
        scene.expectComplete()
        #expect(scene.methods.prefix(3) == [.post, .head, .patch])
        #expect(scene.contentByteCounts.dropFirst().allSatisfy { $0 <= limit })
        #expect(scene.contentByteCounts.reduce(0, +) == byteCount)
        let counts = delegate.sent.map(\.byteCount)
        #expect(counts == counts.sorted() && counts.last == Int64(byteCount))
        delegate.expectOneEnd()
    }

    /// The limit may arrive before the client has sent the content, which then ends the exchange, or after it.
    @Test(arguments: [true, false])
    func `a later call keeps the limit of the record`(arrivesFirst: Bool) async throws {
        let first: UploadFault = arrivesFirst ? .stall(afterByteCount: 40) : .cut(afterByteCount: 40)
        let scene = try UploadScene(first.with(\.limits, "max-append-size=30"))
        // Enough for a request, and for its repetition on another connection.
        scene.server.update { $0.faults += Array(repeating: .cut(afterByteCount: 0), count: 4) }
        #expect(await scene.failure(Request(.post, UploadScene.url), scene.rules(.manual)) != nil)
        #expect(try scene.storedRecord().limits.maximumPartByteCount == 30)
        scene.server.plan()
        let count = scene.requests.count
        try await scene.later().upload()
        scene.expectComplete()
        #expect(scene.contentByteCounts[count...].allSatisfy { $0 <= 30 })
    }

    @Test(arguments: UploadScene.protocols)
    func `a refusal that arrives while the file is sent ends the call`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(
            firstContent: .respondEarly(.response(.forbidden, body: "no", ending: .close)),
            by: uploadProtocol,
            byteCount: Self.longByteCount
        )
        if uploadProtocol == .tus {
            #expect(await scene.fault() == .validationFailed(.status(403)))
            scene.expectUnfinished()
        } else {
            let result = try await scene.upload()
            #expect(result.response?.statusCode == 403)
            #expect(String(decoding: result.data, as: UTF8.self) == "no")
            #expect(try scene.folder.names == [UploadScene.file])
        }
        #expect(scene.server.files.isEmpty)
    }

    @Test(arguments: UploadScene.protocols)
    func `a passing status that arrives while a part is sent is followed by another attempt`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(
            firstContent: .cut(afterByteCount: 1000),
            by: uploadProtocol,
            byteCount: Self.longByteCount
        )
        let first: [UploadFault] = uploadProtocol == .tus ? [.none] : []
        let busy = UploadFault.respondEarly(.response(.serviceUnavailable, ending: .close))
        scene.server.update { $0.faults = (first + [.cut(afterByteCount: 1000), .none, busy])[...] }
        let delegate = RecordingDelegate()
        try await scene.upload(delegate: delegate)
        scene.expectComplete()
        #expect(scene.methods.suffix(4) == [.head, .patch, .head, .patch])
        #expect(scene.contentByteCounts.last == Self.longByteCount - 1000)
        let counts = delegate.sent.map(\.byteCount)
        #expect(counts == counts.sorted() && counts.last == Int64(Self.longByteCount))
    }

    @Test(arguments: UploadScene.protocols)
    func `cancellation in the middle of a long file keeps the record`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(
            firstContent: .stall(afterByteCount: 1000),
            by: uploadProtocol,
            byteCount: Self.longByteCount
        )
        let delegate = RecordingDelegate()
        let calling = Task { try await scene.upload(delegate: delegate) }
        await scene.server.waitForStops()
        if uploadProtocol != .tus { try await scene.waitForNotices(2, delegate) }
        calling.cancel()
        #expect(await scene.error(of: calling)?.fault == .cancelled)
        delegate.expectOneEnd(hasFailed: true)
        scene.expectUnfinished()
        let result = try await scene.later().upload()
        scene.expectComplete()
        #expect(result.resumedByteCount == 1000)
        #expect(scene.contentByteCounts.last == Self.longByteCount - 1000)
    }
}
