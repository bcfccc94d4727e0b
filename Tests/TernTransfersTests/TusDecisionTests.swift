// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("TusDialect: tus 1.0.0")
struct TusDecisionTests {
    typealias Row = UploadDecisionRow

    private static let version: HTTPFields = [.tusResumable: "1.0.0"]
    private static let created = UploadDecision.created(UploadSamples.location, offset: 0)

    private static func fields(_ more: HTTPFields) -> HTTPFields { Samples.merged(self.version, more) }

    private static func offset(_ offset: Int64) -> HTTPFields { self.fields([.uploadOffset: String(offset)]) }

    @Test(
        arguments: [
            Row("Creation", "created", 201, fields(Row.location), nil, created),
            Row("Creation", "without a URL", 201, version, nil, Row.violation(.location(.missing))),
            Row(
                "Creation",
                "an insecure URL",
                201,
                fields([.location: "http://other.example/u"]),
                nil,
                Row.violation(.location(.insecure))
            ),
            Row("Tus-Resumable", "missing", 201, Row.location, nil, .fail(.unsupported)),
            Row(
                "Tus-Resumable",
                "another",
                201,
                Samples.merged(Row.location, [.tusResumable: "0.2.2"]),
                nil,
                .fail(.unsupported)
            ),
            Row("Tus-Version", "another", 412, [:], nil, .fail(.unsupported)),
            Row("Tus-Max-Size", "too long", 413, version, nil, .tooLarge),
            Row("Creation", "a refusal", 403, version, nil, .fail(.refused(status: 403))),
            Row("Creation", "later", 503, [:], nil, .unavailable(status: 503)),
        ]
    )
    func `the creation of an upload`(_ row: Row) {
        #expect(row.decide(TusDialect(), .create, 0..<0, location: nil) == row.decision)
    }

    @Test func `the creation of an empty upload completes it`() {
        let row = Row("Creation", "", 201, Self.fields(Row.location), nil, .answer(.resumable))
        #expect(row.decide(TusDialect(), .create, 0..<0, location: nil, fileByteCount: 0) == row.decision)
    }

    @Test(
        arguments: [
            Row(
                "Creation With Upload",
                "all",
                201,
                Samples.merged(offset(1000), Row.location),
                nil,
                .answer(.resumable)
            ),
            Row(
                "Creation With Upload",
                "a part",
                201,
                Samples.merged(offset(10), Row.location),
                nil,
                .created(UploadSamples.location, offset: 10)
            ),
            Row(
                "Creation With Upload",
                "not supported",
                201,
                fields(Row.location),
                nil,
                .created(UploadSamples.location, offset: nil)
            ),
        ]
    )
    func `the creation of an upload with its content`(_ row: Row) {
        #expect(row.decide(TusDialect(), .create, 0..<1000, location: nil) == row.decision)
    }

    @Test(
        arguments: [
            Row("HEAD", "more to send", 200, offset(70), nil, .located(offset: 70, isComplete: false)),
            Row("HEAD", "complete", 204, offset(1000), nil, .located(offset: 1000, isComplete: true)),
            Row("HEAD", "no offset", 200, version, nil, Row.violation(.offsetMissing)),
            Row(
                "Upload-Offset",
                "a sign is not allowed",
                200,
                fields([.uploadOffset: "+70"]),
                nil,
                Row.violation(.offsetMissing)
            ),
            Row(
                "Upload-Offset",
                "nor a parameter",
                200,
                fields([.uploadOffset: "70;a"]),
                nil,
                Row.violation(.offsetMissing)
            ),
            Row(
                "Upload-Length",
                "its length",
                200,
                Samples.merged(offset(7), [.uploadLength: "1000"]),
                nil,
                .located(offset: 7, isComplete: false)
            ),
            Row(
                "Upload-Length",
                "another length",
                200,
                Samples.merged(offset(7), [.uploadLength: "7"]),
                nil,
                Row.violation(.otherLength(file: 1000, received: 7))
            ),
            Row("Tus-Resumable", "missing", 200, [.uploadOffset: "70"], nil, Row.violation(.tusVersion)),
            Row("HEAD", "gone", 404, [:], nil, .gone), Row("HEAD", "gone", 410, version, nil, .gone),
            Row("HEAD", "a refusal", 403, version, nil, .fail(.refused(status: 403))),
            Row("tusd", "locked", 423, version, nil, .unavailable(status: 423)),
        ]
    )
    func `the offset of an upload`(_ row: Row) { #expect(row.decide(TusDialect(), .locate) == row.decision) }

    @Test(
        arguments: [
            Row("PATCH", "complete", 204, offset(1000), nil, .answer(.resumable)),
            Row("PATCH", "it took less", 204, offset(700), nil, .appended(offset: 700)),
            Row("PATCH", "no offset", 204, version, nil, Row.violation(.offsetMissing)),
            Row("Tus-Resumable", "missing", 204, [.uploadOffset: "1000"], nil, Row.violation(.tusVersion)),
            Row("PATCH", "another offset", 409, version, nil, .conflict),
            Row("PATCH", "gone", 404, version, nil, .gone), Row("Expiration", "expired", 410, version, nil, .gone),
            Row("Checksum", "other bytes", 460, version, nil, .checksumMismatch),
            Row("Checksum", "unknown algorithm", 400, version, nil, .fail(.refused(status: 400))),
            Row("PATCH", "too long", 413, [:], nil, .tooLarge),
            Row("PATCH", "another media type", 415, version, nil, .fail(.refused(status: 415))),
            Row("Tus-Version", "another", 412, version, nil, Row.violation(.tusVersion)),
            Row("PATCH", "later", 500, version, nil, .unavailable(status: 500)),
            Row(
                "PATCH",
                "moved",
                307,
                [.location: "/moved"],
                nil,
                .redirect(UploadSamples.url("https://example.com/moved"), isPermanent: false)
            ),
        ]
    )
    func `the rest of a file`(_ row: Row) {
        #expect(row.decide(TusDialect(), .append, 400..<1000, checksum: .sha1) == row.decision)
    }

    @Test func `without a checksum, 460 is a refusal`() {
        let row = Row("Checksum", "", 460, Self.version, nil, .fail(.refused(status: 460)))
        #expect(row.decide(TusDialect(), .append, 400..<1000) == row.decision)
    }

    @Test(arguments: [204, 404, 410])
    func `a terminated upload`(_ status: Int) {
        let row = Row("Termination", "", status, Self.version, nil, .cancelled)
        #expect(row.decide(TusDialect(), .cancel) == row.decision)
    }

    // MARK: Fields

    @Test func `the fields of the requests`() {
        let tus = TusOptions(
            metadata: [("name", "old"), ("is_public", ""), ("name", "world domination plan.pdf")].map {
                Samples.required(TusOptions.Metadata($0.0, $0.1.utf8))
            },
            createsWithContent: true
        )
        let configuration = UploadSamples.configuration(.tus, tus: tus)
        let dialect = TusDialect()
        #expect(
            dialect.creationFields(0..<0, configuration) == [
                .tusResumable: "1.0.0", .uploadLength: "1000",
                .uploadMetadata: "is_public,name d29ybGQgZG9taW5hdGlvbiBwbGFuLnBkZg==",
            ]
        )
        #expect(dialect.creationFields(0..<5, configuration)[.contentType] == "application/offset+octet-stream")
        #expect(
            dialect.appendFields(70..<1000, completes: true) == [
                .tusResumable: "1.0.0", .contentType: "application/offset+octet-stream", .uploadOffset: "70",
            ]
        )
        #expect(dialect.fields == Self.version)
    }

    @Test func `Expiration and Tus-Max-Size`() {
        let date = "Wed, 25 Jun 2014 16:00:00 GMT"
        let fields = Self.fields([.uploadExpires: date, .tusMaxSize: "1073741824"])
        let report = TusDialect().report(fields, now: Samples.now)
        #expect(report.expirationDate == HTTPDate(date, now: Samples.now))
        #expect(report.limits == UploadLimits(maximumByteCount: 1_073_741_824))
        #expect(TusDialect().report([.uploadExpires: date], now: Samples.now) == UploadReport())
        #expect(TusDialect().report(Self.fields([.uploadExpires: "later"]), now: Samples.now) == UploadReport())
    }
}
