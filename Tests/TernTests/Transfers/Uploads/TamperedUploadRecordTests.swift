// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A resumable upload whose record was changed", .hangLimit)
struct TamperedUploadRecordTests {
    /// Calls, and checks that the call began at the first byte.
    private func expectRestart(
        _ restart: UploadRestart?,
        _ scene: UploadScene,
        _ url: String = UploadScene.url,
        _ comment: @autoclosure () -> Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let later = scene.later()
        let result = try await later.upload(Request(.post, url))
        later.expectComplete(comment(), sourceLocation: sourceLocation)
        #expect(result.restart == restart, comment(), sourceLocation: sourceLocation)
        #expect(result.resumedByteCount == 0, comment(), sourceLocation: sourceLocation)
        #expect(later.contentByteCounts.last == 100, comment(), sourceLocation: sourceLocation)
    }

    @Test func `a record with any bit of a byte changed begins again`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        let record = try #require(scene.bytes(UploadScene.record))
        for index in record.indices {
            var changed = record
            changed[index] ^= 1 << UInt8(index % 8)
            try scene.overwrite(UploadScene.record, changed)
            scene.server.update { $0.files = [] }
            try await self.expectRestart(.recordUnusable, scene, UploadScene.url, "byte \(index)")
        }
    }

    @Test func `a record that ends early begins again`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        let record = try #require(scene.bytes(UploadScene.record))
        for byteCount in record.indices {
            try scene.overwrite(UploadScene.record, Array(record[..<byteCount]))
            scene.server.update { $0.files = [] }
            // An empty file is what a call leaves that ends before the server has named an upload.
            let restart: UploadRestart? = byteCount == 0 ? nil : .recordUnusable
            try await self.expectRestart(restart, scene, UploadScene.url, "\(byteCount) bytes")
        }
    }

    @Test(arguments: [
        "\n", "garbage", "tern-upload 2 sha256:00\n{}", "tern-upload 1 sha256:00\n{}",
        String(repeating: "tern-upload ", count: 10_000),
    ])
    func `a file that is not a record begins again`(text: String) async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        try scene.folder.write(text, to: UploadScene.record)
        try await self.expectRestart(.recordUnusable, scene)
    }

    @Test func `a record that is missing begins again`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        try scene.folder.remove(UploadScene.record)
        try await self.expectRestart(nil, scene)
    }

    @Test(arguments: ["http://test/other", "http://other/files", "http://test:81/files"])
    func `a record of an upload to another URL begins again`(url: String) async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        try await self.expectRestart(.otherURL, scene, url)
    }

    @Test func `another query is the same URL`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        let result = try await scene.upload(Request(.post, "\(UploadScene.url)?token=2"))
        scene.expectComplete()
        #expect(result.resumedByteCount == 40)
    }

    @Test(arguments: [UploadProtocol.draft(.eight), .draft(.six)])
    func `a record of an upload by the other protocol begins again`(draft: UploadProtocol) async throws {
        for (first, second) in [(draft, .tus), (.tus, draft)] {
            let scene = try await UploadScene.interrupted(after: 40, by: first)
            try await self.expectRestart(.otherProtocol, UploadScene(scene.server, in: scene.folder, by: second))
        }
    }

    @Test func `an upload continues by the version of the draft by which it began`() async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: .draft(.six))
        let later = UploadScene(scene.server, in: scene.folder, by: .draft(.eight))
        #expect(try await later.upload().resumedByteCount == 40)
        later.expectComplete()
        #expect(later.requests.allSatisfy { $0.fields[.uploadDraftInteropVersion] == "6" })
    }

    @Test func `what a killed process has left of a new record does not matter`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        try scene.folder.write("tern-up", to: "\(UploadScene.record)-new")
        #expect(try await scene.upload().resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test func `a record of a lifetime that is over begins again`() async throws {
        let scene = try UploadScene(.stall(afterByteCount: 40).with(\.limits, "max-age=0"))
        let delegate = RecordingDelegate()
        let calling = Task { try await scene.upload(delegate: delegate) }
        try await scene.waitForNotices(2, delegate)
        calling.cancel()
        _ = await calling.result
        var record = try scene.storedRecord()
        record.mayBeComplete = false
        try scene.overwrite(UploadScene.record, record.encoded)
        let later = scene.later()
        #expect(try await later.upload().restart == .expired)
        later.expectComplete()
    }
}
