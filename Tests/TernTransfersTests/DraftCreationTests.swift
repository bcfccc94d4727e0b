// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import Testing

@Suite("DraftDialect: draft-ietf-httpbis-resumable-upload-11 §4.2, the creation")
struct DraftCreationTests {
    typealias Row = UploadDecisionRow

    private static let complete: HTTPFields = [.uploadComplete: "?1"]
    private static let incomplete: HTTPFields = [.uploadComplete: "?0"]
    private static let otherVersion: HTTPFields = [.uploadDraftInteropVersion: "7"]

    private static func offset(_ offset: Int64, _ more: HTTPFields = [:]) -> HTTPFields {
        Samples.merged([.uploadOffset: String(offset)], more)
    }

    @Test(
        arguments: [
            Row("§4.2.1", "the answer of the resource", 201, [:], nil, .answer(.plain)),
            Row("§4.2.1", "without the field, too", 204, offset(1000), nil, .answer(.plain)),
            Row("§4.2.2", "its Location is not that of the upload", 201, Row.location, nil, .answer(.plain)),
            Row("§4.4.1", "complete", 200, complete, nil, .answer(.resumable)),
            Row("§4.4.1", "complete, but the resource refuses the file", 422, complete, nil, .answer(.resumable)),
            Row("§4.4.1", "complete, but the resource fails", 500, complete, nil, .answer(.resumable)),
            Row(
                "B",
                "another version does not count",
                500,
                Samples.merged(complete, otherVersion),
                nil,
                .unavailable(status: 500)
            ),
            Row("§4.2.1", "a refusal is the answer", 405, [:], nil, .answer(.plain)),
            Row("§4.2.1", "so is a redirect", 303, [:], nil, .answer(.plain)),
            Row("§4.2.1", "and a failure that does not pass", 501, [:], nil, .answer(.plain)),
            Row("§4.2.1", "a failure that may pass", 503, [:], nil, .unavailable(status: 503)),
            Row("§4.1.4", "too long, without support", 413, [:], nil, .answer(.plain)),
            Row("§4.1.4", "too long, with support", 413, [.uploadLimit: "max-append-size=10"], nil, .tooLarge),
            Row("§4.2.2", "not complete, and no upload", 200, incomplete, nil, .fail(.unsupported)),
            Row(
                "§4.2.2",
                "not complete",
                201,
                Samples.merged(incomplete, Row.location),
                nil,
                .created(UploadSamples.location, offset: nil)
            ),
        ]
    )
    func `an upload that is created with the whole file`(_ row: Row) {
        #expect(row.decide(UploadSamples.draft, .create, 0..<1000, location: nil) == row.decision)
    }

    @Test(
        arguments: [
            Row(
                "§4.2.1",
                "the server named no upload before",
                201,
                Row.location,
                nil,
                .created(UploadSamples.location, offset: 100)
            ),
            Row(
                "§4.2.1",
                "it took less",
                201,
                Samples.merged(Row.location, offset(60, incomplete)),
                nil,
                .created(UploadSamples.location, offset: 60)
            ),
            Row("§4.2.2", "no URL", 201, offset(100, incomplete), nil, .fail(.unsupported)),
            Row(
                "§4.2.2",
                "two URLs",
                201,
                HTTPFields(["/a", "/b"].map { HTTPField(name: .location, value: $0) }),
                nil,
                .fail(.unsupported)
            ),
            Row(
                "§4.2.2",
                "an insecure URL",
                201,
                [.location: "http://other.example/u"],
                nil,
                Row.violation(.location(.insecure))
            ),
            Row("B", "another version", 201, Samples.merged(Row.location, otherVersion), nil, .fail(.unsupported)),
            Row(
                "§4.4.1",
                "it claims to have all",
                200,
                offset(100, complete),
                nil,
                Row.violation(.incompleteCompletion(received: 100))
            ),
            Row("§4.4.1", "the resource refuses before the rest", 403, complete, nil, .answer(.resumable)),
        ]
    )
    func `an upload that is created with a part`(_ row: Row) {
        #expect(row.decide(UploadSamples.draft, .create, 0..<100, location: nil) == row.decision)
    }

    @Test(
        arguments: [
            Row("§4.2.2", "the same URL", 201, Row.location, nil, .created(UploadSamples.location, offset: 100)),
            Row("§4.2.2", "another URL", 201, [.location: "/other"], nil, Row.violation(.location(.changed))),
            Row("§4.2.2", "no URL again", 201, offset(100), nil, .created(UploadSamples.location, offset: 100)),
            Row("§4.1.4", "too long", 413, [:], nil, .tooLarge),
            Row("§4.2.1", "a refusal", 403, [:], nil, .answer(.resumable)),
        ]
    )
    func `an upload that a 104 has named`(_ row: Row) {
        #expect(row.decide(UploadSamples.draft, .create, 0..<100) == row.decision)
    }
}
