// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("DraftDialect: draft-ietf-httpbis-resumable-upload-11 §4.1, the fields")
struct DraftFieldsTests {
    private static func report(_ fields: HTTPFields, _ version: UploadProtocol.InteropVersion = .eight) -> UploadReport
    {
        DraftDialect(version).report(fields, now: Samples.now)
    }

    @Test func `§4.1.4: all limits`() {
        let report = Self.report([
            .uploadLimit: "max-size=4000, min-size=1, max-append-size=500;a=1, min-append-size=10, max-age=60, x=(1 2)"
        ])
        let limits = UploadLimits(
            maximumByteCount: 4000,
            minimumByteCount: 1,
            maximumPartByteCount: 500,
            minimumPartByteCount: 10
        )
        #expect(report.limits == limits)
        #expect(report.expirationDate == HTTPDate(secondsSince1970: Samples.now.secondsSince1970 + 60))
    }

    /// A known member of another type makes the field void.
    ///
    /// "A member with a known key but a value of unexpected type MUST cause the entire Upload-Limit header field to be
    /// ignored".
    @Test(arguments: [
        "max-size=4000, max-age=\"60\"", "max-size=4000.0", "max-size", "max-size=(1)", "max-size=1, min-size=?0",
        "max-size=-1", "max-size=1,", "Max-Size=1", "max-size=4000, max-age=@60",
    ])
    func `§4.1.4: a field that is not valid is ignored`(_ text: String) {
        #expect(Self.report([.uploadLimit: text]) == UploadReport())
    }

    @Test func `§4.1.4: unknown members are ignored, and limits are merged from several lines`() {
        let lines = ["max-size=1, q=?1, expires=5", "max-size=2"].map { HTTPField(name: .uploadLimit, value: $0) }
        let report = Self.report(HTTPFields(lines))
        #expect(report.limits == UploadLimits(maximumByteCount: 2) && report.expirationDate == nil)
    }

    @Test func `-05: version 6 calls the lifetime expires`() {
        let report = Self.report([.uploadLimit: "expires=5, max-age=\"a\""], .six)
        #expect(report.expirationDate == HTTPDate(secondsSince1970: Samples.now.secondsSince1970 + 5))
    }

    @Test func `B: the fields of another version are ignored`() {
        let fields: HTTPFields = [.uploadLimit: "max-size=1", .uploadOffset: "5"]
        #expect(Self.report(Samples.merged(fields, [.uploadDraftInteropVersion: "6"])) == UploadReport())
        #expect(Self.report(Samples.merged(fields, [.uploadDraftInteropVersion: "8"])).offset == 5)
        #expect(Self.report(fields).offset == 5)
    }

    @Test(
        arguments: [
            (104, "8", true), (104, nil, false), (104, "6", false), (104, "8.0", false), (104, "\"8\"", false),
            (103, "8", false), (100, "8", false),
        ] as [(Int, String?, Bool)]
    )
    func `B: a 104 with a missing or mismatching version is ignored`(
        _ status: Int,
        _ version: String?,
        _ isAccepted: Bool
    ) {
        let fields: HTTPFields = version.map { [.uploadDraftInteropVersion: $0] } ?? [:]
        let notice = UploadNotice(status: status, fields: fields, url: UploadSamples.target)
        #expect(UploadSamples.draft.accepts(notice) == isAccepted)
    }

    @Test(arguments: UploadProtocol.InteropVersion.allCases)
    func `§4.2.1: the request that creates an upload`(_ version: UploadProtocol.InteropVersion) {
        let configuration = UploadSamples.configuration(digest: Samples.digest)
        let fields = DraftDialect(version).creationFields(0..<1000, configuration)
        let hash = "sha-256=:q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=:"
        let digestName = Samples.required(HTTPField.Name("Repr-Digest"))
        #expect(
            fields == [
                .uploadDraftInteropVersion: "\(version.rawValue)", .uploadComplete: "?1", .uploadLength: "1000",
                digestName: hash,
            ]
        )
        let part = DraftDialect(version).creationFields(0..<10, UploadSamples.configuration())
        #expect(part[.uploadComplete] == "?0" && part[.uploadLength] == "1000" && !part.contains(digestName))
    }

    @Test(arguments: UploadProtocol.InteropVersion.allCases)
    func `§4.4.1: the request that sends bytes`(_ version: UploadProtocol.InteropVersion) {
        let dialect = DraftDialect(version)
        #expect(
            dialect.appendFields(400..<1000, completes: true) == [
                .uploadDraftInteropVersion: "\(version.rawValue)", .contentType: "application/partial-upload",
                .uploadOffset: "400", .uploadComplete: "?1",
            ]
        )
        #expect(dialect.appendFields(400..<500, completes: false)[.uploadComplete] == "?0")
        // "The request MUST NOT include an Upload-Offset, Upload-Complete, or Upload-Length header field" (-05 §5, §7).
        #expect(dialect.fields == [.uploadDraftInteropVersion: "\(version.rawValue)"])
    }
}
