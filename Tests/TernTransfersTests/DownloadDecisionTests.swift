// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation
import TernRequests
import TernTransfers
import Testing

@Suite("DownloadDecision: RFC 9110 §13.1.5, §14")
struct DownloadDecisionTests {
    typealias Row = DecisionRow

    private static func decide(_ row: Row) -> DownloadDecision {
        let record = Samples.record(of: row.length, row.validators)
        let request = row.request.map { PartRequest.part(from: $0.first, to: $0.end, of: record.validator) } ?? .whole
        return DownloadDecision(
            request,
            status: row.status,
            row.fields,
            known: Representation(record),
            present: record.ranges,
            now: Samples.now
        )
    }

    @Test(arguments: Row.parts + Row.others)
    func `a response means`(_ row: Row) { #expect(Self.decide(row) == row.decision) }

    @Test(arguments: [100, 101, 201, 202, 204, 205, 301, 304, 400, 401, 403, 404, 410, 412, 500, 503, 999])
    func `another status has no part of the file`(_ status: Int) {
        for request in [(400, nil), nil] as [(Int64, Int64?)?] {
            let row = Row("", status, Samples.part(Row.rest), Row.good, request: request)
            #expect(Self.decide(row) == .status(status, retryAfter: nil))
        }
    }

    // MARK: 200

    @Test(
        arguments: [
            (Samples.whole(1000), .rangeIgnored), (Samples.whole(1000, [:]), .rangeIgnored),
            (Samples.whole(1001), .resourceChanged(.completeLength)),
            (Samples.whole(1000, [.eTag: "\"v2\""]), .resourceChanged(.entityTag)),
            (Samples.whole(1000, [.lastModified: Samples.date]), .resourceChanged(.lastModified)),
        ] as [(HTTPFields, RestartReason)]
    )
    func `a 200 in place of a part is the whole file, and says why`(_ fields: HTTPFields, _ reason: RestartReason) {
        let row = Row("", 200, fields, Row.good)
        #expect(Self.decide(row) == .whole(Representation(status: 200, fields, now: Samples.now), because: reason))
        let asked = Row("", 200, fields, Row.good, request: nil)
        #expect(Self.decide(asked) == .whole(Representation(status: 200, fields, now: Samples.now), because: nil))
    }

    @Test(
        arguments: [
            (200, Samples.whole(1000), nil, 1000), (200, Samples.whole(1000, Samples.dated), nil, 1000),
            (200, Samples.whole(nil), nil, nil), (200, Samples.whole(1000, [:]), .noValidator, 1000),
            (200, Samples.whole(1000, [.eTag: "W/\"v1\""]), .unusableEntityTag, 1000),
            (200, Samples.whole(1000, [.lastModified: Samples.date, .date: Samples.date]), .weakDate, 1000),
            (200, Samples.whole(1000, Samples.tagged, [.acceptRanges: "None"]), .rangesRefused, 1000),
            (200, Samples.whole(1000, Samples.tagged, [.acceptRanges: "bytes"]), nil, 1000),
            (203, Samples.whole(1000), .transformed, 1000),
            (200, Samples.whole(1000, Samples.tagged, [.contentEncoding: "gzip"]), .contentCoded, nil),
            (200, Samples.whole(1000, Samples.tagged, [.contentLength: "1000, 1000"]), nil, nil),
        ] as [(Int, HTTPFields, ResourceValidator.Absence?, Int64?)]
    )
    func `a whole response can be continued, or says why not`(
        _ status: Int,
        _ fields: HTTPFields,
        _ absence: ResourceValidator.Absence?,
        _ length: Int64?
    ) {
        let representation = Representation(status: status, fields, now: Samples.now)
        #expect(representation.absence == absence)
        #expect((representation.validator == nil) == (absence != nil))
        #expect(representation.completeLength == length)
    }

    @Test func `another digest of the server shows a change`() {
        let (old, new) = (Self.field(1), Self.field(2))
        let own = Samples.merged(Samples.tagged, [.reprDigest: old])
        let known = Representation(status: 200, Samples.whole(1000, own), now: Samples.now)
        for (sent, isChanged) in [(old, false), (new, true)] {
            let decision = DownloadDecision(
                .part(from: 400, to: nil, of: Samples.validator()),
                status: 206,
                Samples.part(Row.rest, [.reprDigest: sent]),
                known: known,
                present: ByteRangeSet(0..<400),
                now: Samples.now
            )
            #expect((decision == Row.changed(.digest)) == isChanged)
        }
    }

    private static func field(_ byte: UInt8) -> String {
        "sha-256=:\(Data([UInt8](repeating: byte, count: 32)).base64EncodedString()):"
    }
}
