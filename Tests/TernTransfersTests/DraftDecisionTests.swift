// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import Testing

@Suite("DraftDialect: draft-ietf-httpbis-resumable-upload-11 §4")
struct DraftDecisionTests {
    typealias Row = UploadDecisionRow

    private static let complete: HTTPFields = [.uploadComplete: "?1"]
    private static let incomplete: HTTPFields = [.uploadComplete: "?0"]
    private static let otherVersion: HTTPFields = [.uploadDraftInteropVersion: "7"]
    private static let transient = [408, 425, 429, 500, 502, 503, 504]

    private static func offset(_ offset: Int64, _ more: HTTPFields = [:]) -> HTTPFields {
        Samples.merged([.uploadOffset: String(offset)], more)
    }

    // MARK: Offset retrieval

    @Test(
        arguments: [
            Row("§4.3.1", "more to send", 204, offset(25, incomplete), nil, .located(offset: 25, isComplete: false)),
            Row(
                "§4.3.1",
                "all bytes, not complete",
                200,
                offset(1000, incomplete),
                nil,
                .located(offset: 1000, isComplete: false)
            ),
            Row("§4.3.1", "complete", 204, offset(1000, complete), nil, .located(offset: 1000, isComplete: true)),
            Row("§4.3.2", "without completeness", 204, offset(0), nil, .located(offset: 0, isComplete: false)),
            Row(
                "§4.3.2",
                "its version",
                204,
                offset(25, [.uploadDraftInteropVersion: "8"]),
                nil,
                .located(offset: 25, isComplete: false)
            ),
            Row(
                "§4.3.2",
                "complete with too few bytes",
                204,
                offset(999, complete),
                nil,
                Row.violation(.incompleteCompletion(received: 999))
            ),
            Row("§4.3.2", "no offset", 204, incomplete, nil, Row.violation(.offsetMissing)),
            Row("§4.1.1", "a negative offset is ignored", 204, offset(-1), nil, Row.violation(.offsetMissing)),
            Row("§4.1.1", "so is a decimal", 204, [.uploadOffset: "1.0"], nil, Row.violation(.offsetMissing)),
            Row("§4.1.1", "and a string", 204, [.uploadOffset: "\"1\""], nil, Row.violation(.offsetMissing)),
            Row(
                "§4.1.2",
                "true is not a Boolean",
                204,
                offset(1000, [.uploadComplete: "true"]),
                nil,
                .located(offset: 1000, isComplete: false)
            ),
            Row(
                "§4.1.2",
                "version 8 knows no Upload-Incomplete",
                204,
                offset(1000, [.uploadIncomplete: "?0"]),
                nil,
                .located(offset: 1000, isComplete: false)
            ),
            Row(
                "§4.1.3",
                "its length",
                204,
                offset(5, [.uploadLength: "1000"]),
                nil,
                .located(offset: 5, isComplete: false)
            ),
            Row(
                "§4.1.3",
                "another length",
                204,
                offset(5, [.uploadLength: "999"]),
                nil,
                Row.violation(.otherLength(file: 1000, received: 999))
            ),
            Row("B", "another version", 204, offset(5, otherVersion), nil, Row.violation(.offsetMissing)),
            Row("§4.3.1", "gone", 404, [:], nil, .gone), Row("§4.3.1", "gone", 410, [:], nil, .gone),
            Row("§4.3.1", "a refusal", 403, [:], nil, .fail(.refused(status: 403))),
            Row(
                "§4.3.2",
                "a redirect that may change the method",
                302,
                Row.location,
                nil,
                .fail(.refused(status: 302))
            ),
            Row(
                "§4.3.1",
                "a redirect",
                307,
                [.location: "/moved"],
                nil,
                .redirect(UploadSamples.url("https://example.com/moved"), isPermanent: false)
            ),
            Row(
                "§4.3.1",
                "a redirect",
                308,
                [.location: "/moved"],
                nil,
                .redirect(UploadSamples.url("https://example.com/moved"), isPermanent: true)
            ),
            Row("§4.3.1", "a redirect to nowhere", 308, [:], nil, Row.violation(.location(.missing))),
        ]
    )
    func `the offset of an upload`(_ row: Row) { #expect(row.decide(UploadSamples.draft, .locate) == row.decision) }

    // MARK: Append

    @Test(
        arguments: [
            Row("§4.4.1", "the answer of the resource", 200, complete, nil, .answer(.resumable)),
            Row("§4.4.1", "also if it is a refusal", 400, complete, nil, .answer(.resumable)),
            Row("§4.4.1", "also if it is a conflict", 409, complete, nil, .answer(.resumable)),
            Row("§4.4.1", "also if it is a failure", 503, complete, nil, .answer(.resumable)),
            Row("§4.4.1", "not complete", 204, incomplete, nil, .appended(offset: nil)),
            Row("§4.4.1", "without the field", 204, [:], nil, .appended(offset: nil)),
            Row("§4.4.1", "it took less", 204, offset(700, incomplete), nil, .appended(offset: 700)),
            Row(
                "§4.4.1",
                "complete with too few bytes",
                200,
                offset(700, complete),
                nil,
                Row.violation(.incompleteCompletion(received: 700))
            ),
            Row("§4.4.2", "another offset", 409, offset(300, incomplete), nil, .conflict),
            Row("§4.4.2", "another offset of a complete upload", 409, offset(1000, complete), nil, .conflict),
            Row("§7.1", "another offset", 409, complete, .mismatchingOffset(expected: 1, provided: 2), .conflict),
            Row("§7.2", "already complete", 400, [:], .completed, .conflict),
            Row("§7.3", "already complete, with content", 400, [:], .inconsistentLength, .conflict),
            Row("§4.4.2", "complete, and no longer available", 410, [:], .completed, .completed),
            Row("§4.4.1", "gone", 404, [:], nil, .gone), Row("§4.4.1", "gone", 410, [:], nil, .gone),
            Row("§4.1.4", "too long", 413, [:], nil, .tooLarge),
            Row("§4.4.1", "a refusal", 415, [:], nil, .fail(.refused(status: 415))),
            Row("§4.4.1", "a refusal", 400, [:], nil, .fail(.refused(status: 400))),
            Row(
                "§4.4.1",
                "a redirect",
                308,
                [.location: "https://storage.example.net/u/1?sig=x"],
                nil,
                .redirect(UploadSamples.elsewhere, isPermanent: true)
            ),
            Row("§4.4.1", "a redirect of the resource", 303, complete, nil, .answer(.resumable)),
        ]
    )
    func `the rest of a file`(_ row: Row) {
        #expect(row.decide(UploadSamples.draft, .append, 400..<1000) == row.decision)
    }

    @Test(
        arguments: [
            Row("§4.4.1", "appended", 204, incomplete, nil, .appended(offset: 600)),
            Row("§4.4.1", "appended", 201, [:], nil, .appended(offset: 600)),
            Row("§4.4.1", "it took less", 201, offset(500), nil, .appended(offset: 500)),
            Row(
                "B",
                "the offset of another version does not count",
                201,
                offset(500, otherVersion),
                nil,
                .appended(offset: 600)
            ),
            Row(
                "§4.4.1",
                "it claims to have all",
                200,
                complete,
                nil,
                Row.violation(.incompleteCompletion(received: 600))
            ),
        ]
    )
    func `a part of a file`(_ row: Row) {
        #expect(row.decide(UploadSamples.draft, .append, 400..<600) == row.decision)
    }

    @Test(arguments: transient, [UploadRequest.Purpose.locate, .append, .cancel])
    func `a status that may pass`(_ status: Int, _ purpose: UploadRequest.Purpose) {
        let row = Row("§4.3.1", "later", status, [:], nil, .unavailable(status: status))
        #expect(row.decide(UploadSamples.draft, purpose, purpose == .append ? 0..<10 : nil) == row.decision)
    }

    // MARK: Cancellation

    @Test(
        arguments: [(200, .cancelled), (204, .cancelled), (404, .cancelled), (410, .cancelled)]
            as [(Int, UploadDecision)]
    )
    func `a cancelled upload`(_ status: Int, _ decision: UploadDecision) {
        #expect(Row("§4.5", "", status, [:], nil, decision).decide(UploadSamples.draft, .cancel) == decision)
    }

    @Test func `a server that cannot cancel`() {
        let row = Row("§4.5", "", 405, [:], nil, .fail(.refused(status: 405)))
        #expect(row.decide(UploadSamples.draft, .cancel) == row.decision)
    }

    // MARK: Version 6

    @Test(
        arguments: [
            Row("-05 §6", "the answer has no Upload-Complete", 201, offset(1000), nil, .answer(.resumable)),
            Row("-05 §6", "nor an offset", 200, [:], nil, .answer(.resumable)),
            Row("-05 §6", "it took less", 201, offset(700), nil, .appended(offset: 700)),
            Row("-05 §6", "not complete", 201, offset(1000, incomplete), nil, .appended(offset: 1000)),
            // As swift-nio-extras answers.
            Row(
                "nio",
                "the field of earlier versions",
                422,
                offset(1000, [.uploadIncomplete: "?0"]),
                nil,
                .answer(.resumable)
            ),
            Row(
                "nio",
                "the field of earlier versions",
                503,
                offset(700, [.uploadIncomplete: "?1"]),
                nil,
                .unavailable(status: 503)
            ),
        ]
    )
    func `the rest of a file, in version 6`(_ row: Row) {
        #expect(row.decide(DraftDialect(.six), .append, 400..<1000) == row.decision)
    }
}
