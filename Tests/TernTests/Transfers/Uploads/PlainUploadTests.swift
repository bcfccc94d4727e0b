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

/// Tests the draft of the IETF with a server that does not know it: the upload is then a plain one.
@Suite("A resumable upload to a server without support", .hangLimit)
struct PlainUploadTests {
    private static let drafts: [UploadProtocol] = [.draft(.eight), .draft(.six)]

    @Test(arguments: drafts)
    func `the server's answer is the call's answer`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(.plain, by: uploadProtocol)
        let result = try await scene.upload()
        scene.expectComplete()
        #expect(String(decoding: result.data, as: UTF8.self) == "stored")
        #expect(result.response?.statusCode == 201)
        #expect((result.byteCount, result.resumedByteCount) == (100, 0))
        #expect(!result.isResumable)
        #expect(result.restart == nil)
        #expect(scene.methods == [.post])
    }

    @Test(arguments: [200, 204, 302, 400, 403, 404, 409, 410, 413, 422, 500, 501, 503])
    func `an answer with any status is the call's answer`(status: Int) async throws {
        let scene = try UploadScene(.respond(.response(.init(code: status), body: status == 204 ? "" : "why")))
        let result = try await scene.upload()
        #expect(result.response?.statusCode == status)
        #expect(String(decoding: result.data, as: UTF8.self) == (status == 204 ? "" : "why"))
        #expect(!result.isResumable)
        #expect(scene.methods == [.post])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test func `a request that may be repeated is repeated after a passing status`() async throws {
        let scene = try UploadScene(.respond(.response(.serviceUnavailable)), .plain)
        let result = try await scene.upload(Request(.put, UploadScene.url))
        scene.expectComplete()
        #expect(result.response?.statusCode == 201)
        #expect(scene.methods == [.put, .put])
    }

    @Test func `the last of too many passing statuses is the answer`() async throws {
        let scene = try UploadScene(later: .respond(.response(.serviceUnavailable, body: "later")))
        let result = try await scene.upload(Request(.put, UploadScene.url))
        #expect(result.response?.statusCode == 503)
        #expect(String(decoding: result.data, as: UTF8.self) == "later")
        #expect(scene.methods.count == ResumptionPolicy.automatic.maximumAttemptCount)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: [0, 1, 40, 100])
    func `a request that must not be repeated is not sent again after a cut`(byteCount: Int) async throws {
        let scene = try UploadScene(UploadFault.plain.with(\.stop, (byteCount, .cut)))
        let fault = await scene.fault()
        guard case .connectionLost? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(scene.methods == [.post])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: [0, 40, 100])
    func `nor is a PUT, on a connection that was idle, if the caller does not allow it`(byteCount: Int) async throws {
        let scene = try UploadScene(.plain, UploadFault.plain.with(\.stop, (byteCount, .cut)), .plain)
        _ = try await scene.client.data(for: Request(.get, UploadScene.url))
        let rules = scene.rules(.immediate) { $0.isRepeatable = false }
        let fault = await scene.fault(Request(.put, UploadScene.url), rules)
        guard case .connectionLost? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(scene.methods == [.get, .put])
    }

    @Test(arguments: [0, 1, 40, 100])
    func `a request that the caller calls repeatable is sent again as a whole`(byteCount: Int) async throws {
        let scene = try UploadScene(UploadFault.plain.with(\.stop, (byteCount, .cut)), .plain)
        try await scene.upload(Request(.post, UploadScene.url), scene.rules(.immediate) { $0.isRepeatable = true })
        #expect(scene.contentByteCounts == [byteCount, 100])
        expectEqual(scene.server.files.last, scene.content)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: ["7", "5", "nonsense", "?1"])
    func `a 104 of another version makes the upload no resumable one`(version: String) async throws {
        let scene = try UploadScene(.cut(afterByteCount: 40).with(\.version, version))
        let fault = await scene.fault()
        guard case .connectionLost? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(scene.methods == [.post])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test func `a client that uses tus refuses the server`() async throws {
        let scene = try UploadScene(.plain, by: .tus)
        #expect(await scene.fault() == .uploadFailed(.notResumable))
        #expect(scene.contentByteCounts == [0])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    // MARK: The caller's request

    @Test(arguments: [HTTPRequest.Method.get, .head, .trace])
    func `a method without a body is refused`(method: HTTPRequest.Method) async throws {
        let scene = try UploadScene()
        let delegate = RecordingDelegate()
        let error = await scene.failure(Request(method, UploadScene.url), delegate: delegate)
        #expect(error?.fault == .invalidRequest(.bodyNotAllowed(method: method.rawValue)))
        #expect(scene.requests.isEmpty)
        #expect(try scene.folder.names == [UploadScene.file])
        delegate.expectOneEnd(hasFailed: true)
    }

    @Test func `a request that already has a body is refused`() async throws {
        let scene = try UploadScene()
        var request = Request(.post, UploadScene.url)
        request.body = .data(Data("x".utf8))
        #expect(await scene.fault(request) == .invalidRequest(.ambiguousBody))
        #expect(scene.requests.isEmpty)
    }

    @Test func `a file that is missing or a folder is refused`() async throws {
        let scene = try UploadScene()
        try scene.folder.remove(UploadScene.file)
        #expect(await scene.failure()?.ending == Ending(.uploadFailed(.fileNotFound), in: .prepare))
        let other = UploadScene(scene.server, in: scene.folder)
        let folder = scene.folder.url
        let error = await failure { () async throws(ClientError) in
            try await other.client.upload(for: Request(.post, UploadScene.url), fromFile: folder, resuming: .automatic)
        }
        #expect(error?.ending == Ending(.uploadFailed(.notAFile), in: .prepare))
        #expect(scene.requests.isEmpty)
        #expect(try scene.folder.names == [])
    }
}
