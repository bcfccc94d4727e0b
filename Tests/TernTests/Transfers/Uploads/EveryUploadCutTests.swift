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

/// Tests a small file whose upload ends after each of its bytes, and after each byte of the server's responses.
@Suite("A resumable upload that is cut after each byte", .hangLimit)
struct EveryUploadCutTests {
    private static let byteCount = 40

    private func expectProgress(
        _ delegate: RecordingDelegate,
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let counts = delegate.sent.map(\.byteCount)
        #expect(counts == counts.sorted(), comment, sourceLocation: sourceLocation)
        #expect(counts.last == Int64(Self.byteCount), comment, sourceLocation: sourceLocation)
        let totals = delegate.sent.map(\.totalByteCount)
        #expect(totals.allSatisfy { $0 == Int64(Self.byteCount) }, comment, sourceLocation: sourceLocation)
        delegate.expectOneEnd(sourceLocation: sourceLocation)
    }

    @Test(arguments: UploadScene.protocols)
    func `the call asks for the offset, and sends the rest`(uploadProtocol: UploadProtocol) async throws {
        for byteCount in 0...Self.byteCount {
            let comment: Comment = "after \(byteCount) bytes"
            let cut = UploadFault.cut(afterByteCount: byteCount)
            let scene = try UploadScene(firstContent: cut, by: uploadProtocol, byteCount: Self.byteCount)
            let delegate = RecordingDelegate()
            let result = try await scene.upload(delegate: delegate)
            scene.expectComplete(comment)
            let rest = byteCount == Self.byteCount ? [] : [Self.byteCount - byteCount]
            #expect(scene.contentByteCounts.filter { $0 > 0 } == [byteCount].filter { $0 > 0 } + rest, comment)
            let creation: [HTTPRequest.Method] = uploadProtocol == .tus ? [.post, .patch] : [.post]
            #expect(scene.methods == creation + (rest.isEmpty ? [.head] : [.head, .patch]), comment)
            // The answer of the resource is lost with the connection.
            #expect((result.response == nil) == rest.isEmpty, comment)
            #expect(result.isResumable, comment)
            #expect((result.resumedByteCount, result.restart) == (0, nil), comment)
            self.expectProgress(delegate, comment)
        }
    }

    @Test(arguments: UploadScene.protocols)
    func `a second part that is cut after each byte is continued, too`(uploadProtocol: UploadProtocol) async throws {
        for byteCount in 10...Self.byteCount {
            let comment: Comment = "after \(byteCount) bytes"
            let scene = try UploadScene(
                firstContent: .cut(afterByteCount: 10),
                by: uploadProtocol,
                byteCount: Self.byteCount
            )
            let first: [UploadFault] = uploadProtocol == .tus ? [.none] : []
            let cuts: [UploadFault] = [
                .cut(afterByteCount: 10), .none, .cut(afterByteCount: byteCount - 10),
            ]
            scene.server.update { $0.faults = (first + cuts)[...] }
            let delegate = RecordingDelegate()
            try await scene.upload(delegate: delegate)
            scene.expectComplete(comment)
            #expect(scene.contentByteCounts.reduce(0, +) == Self.byteCount, comment)
            self.expectProgress(delegate, comment)
        }
    }

    @Test(arguments: UploadScene.protocols)
    func `a later call of another client sends only the missing bytes`(uploadProtocol: UploadProtocol) async throws {
        for byteCount in 0...Self.byteCount {
            let comment: Comment = "after \(byteCount) bytes"
            let cut = UploadFault.cut(afterByteCount: byteCount)
            let scene = try UploadScene(firstContent: cut, by: uploadProtocol, byteCount: Self.byteCount)
            #expect(await scene.failure(Request(.post, UploadScene.url), scene.rules(.manual)) != nil, comment)
            #expect(try scene.folder.names == [UploadScene.file, UploadScene.record], comment)
            let later = scene.later()
            let delegate = RecordingDelegate()
            let result = try await later.upload(delegate: delegate)
            later.expectComplete(comment)
            #expect(scene.contentByteCounts.reduce(0, +) == Self.byteCount, comment)
            #expect(result.resumedByteCount == Int64(byteCount), comment)
            #expect(result.restart == nil, comment)
            if byteCount < Self.byteCount { self.expectProgress(delegate, comment) }
        }
    }

    // MARK: Responses

    /// The 104, and the answer of the resource, as the server sends them.
    private static let responses = (
        notice: "HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Draft-Interop-Version: 8\r\n"
            + "Location: /uploads/1\r\n\r\n",
        answer: "HTTP/1.1 201 Created\r\nUpload-Complete: ?1\r\nContent-Length: 6\r\n\r\nstored"
    )

    @Test(.http1Only("cuts the framing of HTTP/1.1"))
    func `responses that are cut after each byte never make the resource process a file twice`() async throws {
        let noticeByteCount = Self.responses.notice.utf8.count
        let wholeByteCount = noticeByteCount + Self.responses.answer.utf8.count
        let headByteCount = wholeByteCount - "stored".utf8.count
        for byteCount in 0...wholeByteCount {
            let comment: Comment = "after \(byteCount) bytes"
            let scene = try UploadScene(byteCount: Self.byteCount)
            scene.connector.plan(.accept(toClient: [.cut(afterByteCount: byteCount)]))
            let error = await scene.failure()
            if byteCount < noticeByteCount {
                // The client does not know the upload, and must not repeat the request.
                #expect(error?.isRetryable == true, comment)
                #expect(scene.methods == [.post], comment)
                #expect(try scene.folder.names == [UploadScene.file], comment)
            } else {
                // The client does not ask for an answer again whose head has arrived.
                let isLost = headByteCount..<wholeByteCount ~= byteCount
                let received = Int64(byteCount - headByteCount)
                #expect(error?.fault == (isLost ? .truncated(received: received, expected: 6) : nil), comment)
                scene.expectComplete(comment)
            }
            #expect(scene.server.files.count <= 1, comment)
        }
    }

    @Test(.http1Only("cuts the framing of HTTP/1.1"))
    func `a status that is cut after each byte is asked for again`() async throws {
        for byteCount in 0...120 {
            let comment: Comment = "after \(byteCount) bytes"
            let scene = try UploadScene(.cut(afterByteCount: 10), byteCount: Self.byteCount)
            scene.connector.plan(.accept(), .accept(toClient: [.cut(afterByteCount: byteCount)]))
            try await scene.upload()
            scene.expectComplete(comment)
            #expect(scene.contentByteCounts.reduce(0, +) >= Self.byteCount, comment)
        }
    }
}
