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

@Suite("A resumable upload whose file has changed", .hangLimit)
struct ChangedFileTests {
    /// A change of a file between two calls.
    enum Change: CaseIterable {
        case shorter
        case longer
        case empty
        /// The same length, but another time of modification.
        case time
        /// Another file with the same content in its place.
        case other

        func apply(to scene: UploadScene) throws {
            let content = scene.content
            let file = scene.fileURL
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let date = try #require(attributes[.modificationDate] as? Date)
            switch self {
            case .shorter: try scene.overwrite(UploadScene.file, content.dropLast())
            case .longer: try scene.overwrite(UploadScene.file, content + [0])
            case .empty: try scene.overwrite(UploadScene.file, [])
            case .time:
                let later = date.addingTimeInterval(1)
                try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: file.path)
            case .other:
                let other = scene.folder.file("other")
                try Data(content).write(to: other)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: other.path)
                try FileManager.default.removeItem(at: file)
                try FileManager.default.moveItem(at: other, to: file)
            }
        }
    }

    @Test(arguments: Change.allCases, UploadScene.protocols)
    func `the call sends nothing, and the record stays`(change: Change, uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let (count, record) = (scene.requests.count, scene.bytes(UploadScene.record))
        try change.apply(to: scene)
        let delegate = RecordingDelegate()
        #expect(await scene.failure(delegate: delegate)?.fault == .uploadFailed(.fileChanged))
        #expect(scene.requests.count == count)
        scene.expectUnfinished()
        #expect(scene.bytes(UploadScene.record) == record)
        delegate.expectOneEnd(hasFailed: true)
    }

    @Test(arguments: Change.allCases, UploadScene.protocols)
    func `the call begins again if the rules say so`(change: Change, uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        try change.apply(to: scene)
        let rules = scene.rules(.immediate) { $0.restartsChangedFile = true }
        let delegate = RecordingDelegate()
        let result = try await scene.upload(Request(.post, UploadScene.url), rules, delegate: delegate)
        if change == .empty, uploadProtocol == .tus {
            #expect(try scene.folder.names == [UploadScene.file])
        } else {
            scene.expectComplete()
        }
        #expect(result.restart == .fileChanged)
        #expect(result.resumedByteCount == 0)
        #expect(result.byteCount == Int64(scene.content.count))
        #expect(scene.server.uploads.count == 2)
        #expect(delegate.sent.map(\.byteCount) == delegate.sent.map(\.byteCount).sorted())
        delegate.expectOneEnd()
    }

    // MARK: While the file is sent

    /// Longer than all buffers between the file and the server.
    private static let longByteCount = 3_000_000

    /// Changes of a file while it is sent; its length stays the same, or not.
    private static let changes: [@Sendable (UploadScene) throws -> Void] = [
        { try $0.overwrite(UploadScene.file, RangeServer.content(Self.longByteCount, version: 2)) },
        { try $0.overwrite(UploadScene.file, $0.content + [0]) },
        { try $0.folder.truncate(UploadScene.file, to: 500_000) },
    ]

    @Test(arguments: [0, 1, 2], UploadScene.protocols)
    func `a change while the file is sent ends the call before the last byte`(
        index: Int,
        uploadProtocol: UploadProtocol
    ) async throws {
        let flag = Flag()
        let scene = try UploadScene(
            firstContent: .hold(afterByteCount: 1000, until: flag),
            by: uploadProtocol,
            byteCount: Self.longByteCount
        )
        let calling = Task { try await scene.upload() }
        await scene.server.waitForStops()
        try Self.changes[index](scene)
        flag.raise()
        #expect(await scene.error(of: calling)?.fault == .uploadFailed(.fileChanged))
        scene.expectUnfinished()
        #expect((scene.contentByteCounts.last ?? 0) < Self.longByteCount)
        let later = scene.later()
        #expect(await later.fault() == .uploadFailed(.fileChanged))
        let rules = later.rules(.immediate) { $0.restartsChangedFile = true }
        #expect(try await later.upload(Request(.post, UploadScene.url), rules).restart == .fileChanged)
        later.expectComplete()
    }

    @Test(arguments: UploadScene.protocols)
    func `a file that changes between two requests of a call ends it`(uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let change: @Sendable () async throws -> Void = { [scene] in
            try scene.overwrite(UploadScene.file, RangeServer.content(101))
        }
        scene.server.plan(UploadFault.none.with(\.before, change))
        let count = scene.requests.count
        #expect(await scene.fault() == .uploadFailed(.fileChanged))
        #expect(scene.methods[count...] == [.head])
        scene.expectUnfinished()
    }

    @Test func `a file that is deleted between two requests of a call ends it`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        let change: @Sendable () async throws -> Void = { [folder = scene.folder] in
            try folder.remove(UploadScene.file)
        }
        scene.server.plan(UploadFault.none.with(\.before, change))
        #expect(await scene.fault() == .uploadFailed(.fileNotFound))
        #expect(scene.server.files.isEmpty)
        #expect(try scene.folder.names == [UploadScene.record])
    }
}
