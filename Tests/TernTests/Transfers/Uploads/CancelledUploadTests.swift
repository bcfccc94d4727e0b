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

/// Tests `Client.cancelUpload`.
@Suite("A resumable upload that is cancelled on the server", .hangLimit)
struct CancelledUploadTests {
    @Test(arguments: UploadScene.protocols)
    func `the server forgets the upload, and the record is deleted`(uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let count = scene.requests.count
        let delegate = RecordingDelegate()
        try await scene.cancelUpload(delegate: delegate)
        #expect(scene.methods[count...] == [.delete])
        #expect(scene.server.uploads.isEmpty && scene.server.files.isEmpty)
        #expect(try scene.folder.names == [UploadScene.file])
        delegate.expectOneEnd()
        // The next call begins a new upload.
        try await scene.upload()
        scene.expectComplete()
    }

    @Test(arguments: UploadScene.protocols)
    func `without a record, nothing is sent`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(by: uploadProtocol)
        try await scene.cancelUpload()
        #expect(scene.requests.isEmpty)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .gone])
    func `an upload that the server does not know is cancelled already`(status: HTTPResponse.Status) async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        scene.server.plan(.respond(.response(status)))
        try await scene.cancelUpload()
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: UploadScene.protocols)
    func `a server that refuses keeps the upload, and the record stays`(uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        scene.server.plan(.respond(.response(.methodNotAllowed)))
        let error = await ClientTestSupport.failure { () async throws(ClientError) in try await scene.cancelUpload() }
        #expect(error?.fault == .validationFailed(.status(405)))
        scene.expectUnfinished()
        try await scene.upload()
        scene.expectComplete()
    }

    @Test func `the file need not exist any more`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        try FileManager.default.removeItem(at: scene.fileURL)
        try await scene.cancelUpload()
        #expect(scene.server.uploads.isEmpty)
        #expect(try scene.folder.names.isEmpty)
    }

    @Test func `a request that is interrupted is sent again`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        let count = scene.requests.count
        scene.server.plan(.loseAnswer)
        try await scene.cancelUpload()
        #expect(scene.methods[count...] == [.delete, .delete])
        #expect(try scene.folder.names == [UploadScene.file])
    }
}

extension UploadScene {
    /// Cancels the upload of the file.
    fileprivate func cancelUpload(delegate: (any TaskDelegate)? = nil) async throws(ClientError) {
        try await self.client.cancelUpload(
            for: Request(.post, Self.url),
            fromFile: self.fileURL,
            resuming: self.rules,
            delegate: delegate
        )
    }
}
