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

@Suite("A resumable upload that fails", .hangLimit)
struct UploadFailureTests {
    /// A way in which an upload fails.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var uploadProtocol = UploadProtocol.draft(.eight)
        var method = HTTPRequest.Method.post
        let faults: [UploadFault]
        let fault: Fault
        /// The methods of the requests.
        let methods: [HTTPRequest.Method]
        /// Whether the record stays, so that a later call continues.
        let keepsRecord: Bool
        var change: @Sendable (inout UploadResumption) -> Void = { _ in }
    }

    private static let cut = UploadFault.cut(afterByteCount: 40)
    private static let conflict = UploadFault.respond(.response(.conflict))
    private static let limited = UploadFault.stall(afterByteCount: 40)
    /// An offset of less than the 40 bytes that the server has acknowledged.
    private static let decreased = UploadFault.none.with(\.keptByteCount, 10)

    private static func located(_ fields: HTTPFields) -> UploadFault {
        .respond(.response(.noContent, fields: fields))
    }

    private static let rows: [Row] = [
        Row(
            testDescription: "The server forgot an upload that may be complete",
            faults: [Self.cut, .forget],
            fault: .uploadFailed(.completionUnknown),
            methods: [.post, .head],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server forgot a repeatable upload twice",
            method: .put,
            faults: [Self.cut, .forget, Self.cut, .forget],
            fault: .uploadFailed(.uploadLost),
            methods: [.put, .head, .put, .head],
            keepsRecord: false
        ),
        Row(
            testDescription: "The file is too long",
            faults: [Self.limited.with(\.limits, "max-size=99")],
            fault: .uploadFailed(.tooLarge(limit: 99)),
            methods: [.post, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The file is too short",
            faults: [Self.limited.with(\.limits, "min-size=101")],
            fault: .uploadFailed(.tooSmall(limit: 101)),
            methods: [.post, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server refuses the content without a limit",
            faults: [Self.cut, .none, .respond(.response(.contentTooLarge))],
            fault: .uploadFailed(.tooLarge(limit: nil)),
            methods: [.post, .head, .patch, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server refuses each offset",
            faults: [Self.cut] + Array(repeating: [.none, Self.conflict], count: 4).flatMap { $0 },
            fault: .uploadFailed(.offsetsDiffer),
            methods: [.post] + Array(repeating: [.head, .patch], count: 4).flatMap { $0 },
            keepsRecord: true
        ),
        Row(
            testDescription: "A server without support took a part for the file",
            faults: [.plain],
            fault: .uploadFailed(.notResumable),
            methods: [.post],
            keepsRecord: false,
            change: { $0.maximumPartByteCount = 30 }
        ),
        Row(
            testDescription: "The server sends no offset",
            faults: [Self.cut, Self.located([:])],
            fault: .violation,
            methods: [.post, .head],
            keepsRecord: true
        ),
        Row(
            testDescription: "The server has lost bytes that it acknowledged",
            faults: [.cut(afterByteCount: 60), .none, .cut(afterByteCount: 0), Self.decreased],
            fault: .violation,
            methods: [.post, .head, .patch, .head, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server has more bytes than the file",
            faults: [Self.cut, Self.located([.uploadOffset: "101", .uploadComplete: "?0"])],
            fault: .violation,
            methods: [.post, .head, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server expects another length",
            faults: [Self.cut, Self.located([.uploadOffset: "40", .uploadLength: "99"])],
            fault: .violation,
            methods: [.post, .head, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The upload is complete with too few bytes",
            faults: [Self.cut, Self.located([.uploadOffset: "40", .uploadComplete: "?1"])],
            fault: .violation,
            methods: [.post, .head, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server sends limits that no request can meet",
            faults: [Self.cut.with(\.limits, "max-append-size=0")],
            fault: .violation,
            methods: [.post, .head, .delete],
            keepsRecord: false
        ),
        Row(
            testDescription: "A response has no version of tus",
            uploadProtocol: .tus,
            faults: [.none, Self.cut, .respond(.response(fields: [.uploadOffset: "40"]))],
            fault: .protocolViolation("tus 1.0.0, Tus-Resumable"),
            methods: [.post, .patch, .head],
            keepsRecord: true
        ),
        Row(
            testDescription: "The server of tus refuses to create",
            uploadProtocol: .tus,
            faults: [.respond(.response(.forbidden))],
            fault: .validationFailed(.status(403)),
            methods: [.post],
            keepsRecord: false
        ),
        Row(
            testDescription: "The server of tus has a limit",
            uploadProtocol: .tus,
            faults: [.respond(.response(.contentTooLarge, fields: [.tusResumable: "1.0.0", .tusMaxSize: "9"]))],
            fault: .uploadFailed(.tooLarge(limit: 9)),
            methods: [.post],
            keepsRecord: false
        ),
    ]

    @Test(arguments: Self.rows)
    func `each failure is the error of the call`(row: Row) async throws {
        let scene = try UploadScene(by: row.uploadProtocol)
        scene.server.update { $0.faults = row.faults[...] }
        let delegate = RecordingDelegate()
        let rules = scene.rules(.immediate, row.change)
        let error = await scene.failure(Request(row.method, UploadScene.url), rules, delegate: delegate)
        #expect(error?.fault == row.fault)
        #expect(scene.methods == row.methods)
        let names = [UploadScene.file] + (row.keepsRecord ? [UploadScene.record] : [])
        #expect(try scene.folder.names == names)
        delegate.expectOneEnd(hasFailed: true)
    }
}
