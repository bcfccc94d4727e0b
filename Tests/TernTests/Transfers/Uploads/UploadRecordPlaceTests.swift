// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("The place of the record of an upload", .hangLimit)
struct UploadRecordPlaceTests {
    private let scene: UploadScene

    init() throws { self.scene = try UploadScene() }

    func expectRefusal(
        _ record: URL,
        _ failure: FileFailure,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let rules = self.scene.rules(.immediate) { $0.record = record }
        let delegate = RecordingDelegate()
        let error = await self.scene.failure(Request(.post, UploadScene.url), rules, delegate: delegate)
        #expect(error?.ending == Ending(.fileFailed(failure), in: .prepare), sourceLocation: sourceLocation)
        #expect(error?.context.delivery == .notSent, sourceLocation: sourceLocation)
        #expect(self.scene.requests.isEmpty, sourceLocation: sourceLocation)
        delegate.expectOneEnd(hasFailed: true, sourceLocation: sourceLocation)
    }

    @Test func `a folder that does not exist is refused`() async throws {
        let folder = self.scene.folder.file("missing")
        await self.expectRefusal(folder.appendingPathComponent("record"), .folderNotFound)
    }

    @Test func `a URL that is not a file URL is refused`() async { await self.expectRefusal(testURL, .notAFileURL) }

    @Test func `a device is refused`() async {
        await self.expectRefusal(URL(fileURLWithPath: "/dev/null"), .notPermitted)
    }

    @Test func `a folder in the place of the record is refused`() async throws {
        let place = self.scene.folder.file("here")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        await self.expectRefusal(place, .notPermitted)
    }

    @Test func `a symbolic link in the place of the record is refused, and its target stays as it is`() async throws {
        let (link, target) = (self.scene.folder.file("here"), self.scene.folder.file("target"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        await self.expectRefusal(link, .notPermitted)
        #expect(self.scene.bytes("target") == nil)
        try self.scene.folder.write("secret", to: "target")
        await self.expectRefusal(link, .notPermitted)
        #expect(try self.scene.folder.text(of: "target") == "secret")
    }

    // MARK: Two calls

    @Test(arguments: UploadScene.protocols)
    func `a second call with the same record fails, until the first has ended`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(firstContent: .stall(afterByteCount: 40), by: uploadProtocol)
        let first = Task { try await scene.upload() }
        await scene.server.waitForStops()
        let count = scene.requests.count
        let second = scene.later()
        let error = await second.failure()
        #expect(error?.ending == Ending(.fileFailed(.inUse), in: .prepare))
        #expect(error?.context.delivery == .notSent)
        #expect(scene.requests.count == count)
        first.cancel()
        _ = await first.result
        try await second.upload()
        second.expectComplete()
    }

    @Test func `calls one after the other never find the record in use`() async throws {
        for _ in 1...100 {
            let fault = await self.scene.later().fault()
            #expect(fault == nil)
        }
    }

    @Test func `two calls with different records send the same file twice`() async throws {
        let scene = try UploadScene(.stall(afterByteCount: 40))
        let first = Task { try await scene.upload() }
        await scene.server.waitForStops()
        let rules = scene.rules(.immediate) { $0.record = scene.folder.file("other") }
        try await scene.later().upload(Request(.post, UploadScene.url), rules)
        expectEqual(scene.server.files.first, scene.content)
        first.cancel()
        _ = await first.result
    }

    // MARK: Failures while the file is sent

    /// Makes each further write of the record fail; returns the failure.
    ///
    /// A device that is always full is best, but only the superuser can create it.
    private static func blockRecord(in folder: TemporaryFolder) throws -> FileFailure {
        let place = folder.file("\(UploadScene.record)-new")
        if Self.makeFullDevice(place.path) { return .diskFull }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        return .isDirectory
    }

    @Test(arguments: [100, 900_000])
    func `a record that cannot be written ends the exchange`(byteCount: Int) async throws {
        let failures = Journal<FileFailure>()
        let scene = try UploadScene(.stall(afterByteCount: 40), byteCount: byteCount)
        let block: @Sendable () async throws -> Void = { [folder = scene.folder] in
            failures.note(try Self.blockRecord(in: folder))
        }
        scene.server.plan(UploadFault.stall(afterByteCount: 40).with(\.before, block))
        let delegate = RecordingDelegate()
        let fault = await scene.failure(delegate: delegate)?.fault
        let failure = try #require(failures.all.first)
        #expect(fault == .fileFailed(failure))
        #expect(scene.methods == [.post])
        #expect(scene.server.files.isEmpty)
        delegate.expectOneEnd(hasFailed: true)
        try scene.folder.remove("\(UploadScene.record)-new")
        let later = scene.later()
        try await later.upload()
        later.expectComplete()
    }

    @Test func `a record that cannot be written between two requests ends the call`() async throws {
        let failures = Journal<FileFailure>()
        let scene = try UploadScene(by: .tus)
        let block: @Sendable () async throws -> Void = { [folder = scene.folder] in
            failures.note(try Self.blockRecord(in: folder))
        }
        scene.server.plan(UploadFault.none.with(\.before, block))
        let fault = await scene.fault()
        let failure = try #require(failures.all.first)
        #expect(fault == .fileFailed(failure))
        #expect(scene.methods == [.post])
        try scene.folder.remove("\(UploadScene.record)-new")
        try await scene.later().upload()
        scene.expectComplete()
    }
}
