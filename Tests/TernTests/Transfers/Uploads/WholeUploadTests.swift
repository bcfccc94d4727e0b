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

@Suite("A resumable upload without an interruption", .hangLimit)
struct WholeUploadTests {
    @Test(arguments: [UploadProtocol.draft(.eight), .draft(.six)], [0, 1, 100, 900_000])
    func `the draft sends the file in one request, and returns its answer`(
        uploadProtocol: UploadProtocol,
        byteCount: Int
    ) async throws {
        let scene = try UploadScene(by: uploadProtocol, byteCount: byteCount)
        let delegate = RecordingDelegate()
        let result = try await scene.upload(delegate: delegate)
        scene.expectComplete()
        #expect(scene.methods == [.post])
        #expect(String(decoding: result.data, as: UTF8.self) == "stored")
        #expect(result.response?.statusCode == 201)
        #expect((result.byteCount, result.resumedByteCount) == (Int64(byteCount), 0))
        #expect(result.isResumable)
        #expect(result.restart == nil)
        let fields = try #require(scene.requests.first?.fields)
        #expect(fields[.uploadComplete] == "?1")
        #expect(fields[.uploadLength] == "\(byteCount)")
        #expect(fields[.contentLength] == "\(byteCount)")
        #expect(delegate.notices.map(\.status.code) == [104])
        delegate.expectOneEnd()
    }

    @Test(arguments: [0, 1, 100, 900_000])
    func `tus creates the upload, and sends the file in one part`(byteCount: Int) async throws {
        let scene = try UploadScene(by: .tus, byteCount: byteCount)
        let result = try await scene.upload()
        #expect(scene.methods == (byteCount == 0 ? [.post] : [.post, .patch]))
        #expect(result.response?.statusCode == (byteCount == 0 ? 201 : 204))
        #expect(result.isResumable)
        #expect(try scene.folder.names == [UploadScene.file])
        expectEqual(scene.server.uploads.values.first?.bytes, scene.content)
        #expect(scene.requests.allSatisfy { $0.fields[.tusResumable] == "1.0.0" })
    }

    @Test func `tus may create the upload with its content`() async throws {
        let scene = try UploadScene(by: .tus)
        let result = try await scene.upload(
            Request(.post, UploadScene.url),
            scene.rules(.immediate) { $0.tus.createsWithContent = true }
        )
        scene.expectComplete()
        #expect(scene.methods == [.post])
        #expect(result.response?.statusCode == 201)
    }

    @Test func `a server that announces nothing may say at the end that it knows the protocol`() async throws {
        let scene = try UploadScene(.quiet)
        let result = try await scene.upload()
        scene.expectComplete()
        #expect(result.isResumable)
        #expect(result.response?.statusCode == 201)
    }

    @Test(arguments: [200, 204, 400, 409, 422, 503])
    func `the resource's answer is the call's answer, whatever its status`(status: Int) async throws {
        let folder = try TemporaryFolder()
        try Data(RangeServer.content(100)).write(to: folder.file(UploadScene.file))
        let body = status == 204 ? "" : "why"
        let scene = UploadScene(UploadServer(status: .init(code: status), body: body), in: folder)
        let result = try await scene.upload()
        scene.expectComplete()
        #expect(result.response?.statusCode == status)
        #expect(String(decoding: result.data, as: UTF8.self) == body)
        #expect(result.isResumable)
    }

    @Test(arguments: UploadScene.protocols)
    func `parts of a maximum length follow each other`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(by: uploadProtocol)
        let delegate = RecordingDelegate()
        let rules = scene.rules(.immediate) { $0.maximumPartByteCount = 30 }
        try await scene.upload(Request(.post, UploadScene.url), rules, delegate: delegate)
        scene.expectComplete()
        let parts = [30, 30, 30, 10]
        #expect(scene.contentByteCounts == (uploadProtocol == .tus ? [0] : []) + parts)
        #expect(delegate.delays.isEmpty)
        #expect(delegate.sent.map(\.byteCount) == delegate.sent.map(\.byteCount).sorted())
        #expect(delegate.sent.last?.byteCount == 100)
        #expect(delegate.sent.allSatisfy { $0.totalByteCount == 100 })
        delegate.expectOneEnd()
    }

    // MARK: The record

    @Test(arguments: UploadScene.protocols)
    func `the record is on the disk while the file is sent, and only its owner can read it`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let flag = Flag()
        let scene = try UploadScene(firstContent: .hold(afterByteCount: 40, until: flag), by: uploadProtocol)
        let calling = Task { try await scene.upload() }
        try await eventually("the record is written") { scene.bytes(UploadScene.record)?.isEmpty == false }
        let record = try scene.storedRecord()
        #expect(record.uploadProtocol == uploadProtocol)
        #expect(record.url.text == "http://test/uploads/1")
        #expect(record.mayBeComplete)
        let attributes = try FileManager.default.attributesOfItem(atPath: scene.folder.file(UploadScene.record).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        flag.raise()
        _ = try await calling.value
        scene.expectComplete()
    }

    @Test func `the caller chooses the place of the record`() async throws {
        let flag = Flag()
        let scene = try UploadScene(.hold(afterByteCount: 40, until: flag))
        let records = try TemporaryFolder()
        let rules = scene.rules(.immediate) { $0.record = records.file("here") }
        let calling = Task { try await scene.upload(Request(.post, UploadScene.url), rules) }
        try await eventually("the record is written") {
            (try? Data(contentsOf: records.file("here")))?.isEmpty == false
        }
        #expect(try scene.folder.names == [UploadScene.file])
        flag.raise()
        _ = try await calling.value
        scene.expectComplete()
        #expect(try records.names == [])
    }
}
