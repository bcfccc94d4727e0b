// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import Testing

/// Tests responses like those of a hub of language models, which sends a tail with the status 200.
///
/// It answers `Range: bytes=400-` with `Content-Range: bytes 400-999/1000`. Such a tail must not become the whole file.
@Suite("DownloadDecision: a 200 whose fields describe a part, RFC 9110 §14.4")
struct SuccessfulDecisionTests {
    typealias Row = DecisionRow

    private static let rest = "bytes 400-999/1000"
    private static let differs = Row.violation(.wholeWithRange)

    /// The fields of a 200 with `Content-Range`.
    private static func fields(
        _ range: String,
        _ byteCount: Int?,
        _ validators: HTTPFields = Samples.tagged
    ) -> HTTPFields {
        Samples.merged(Samples.whole(byteCount, validators), [.contentRange: range])
    }

    private static func decide(
        _ request: PartRequest,
        _ status: Int,
        _ fields: HTTPFields,
        of length: Int64? = 1000,
        by validators: HTTPFields = Samples.tagged
    ) -> DownloadDecision {
        let record = Samples.record(of: length, validators)
        let known = request.validator == nil ? nil : Representation(record)
        let present = request.validator == nil ? ByteRangeSet() : record.ranges
        return DownloadDecision(request, status: status, fields, known: known, present: present, now: Samples.now)
    }

    private static func whole(
        _ fields: HTTPFields,
        _ reason: RestartReason?,
        status: Int = 200
    ) -> DownloadDecision {
        .whole(Representation(status: status, fields, now: Samples.now), because: reason)
    }

    private static let twice: HTTPFields = {
        var fields = Samples.whole(600)
        for range in [rest, rest] { fields.append(HTTPField(name: .contentRange, value: range)) }
        return fields
    }()

    // MARK: A request for a range

    static let parts = [
        Row("exactly the requested range", 200, fields(rest, 600), Row.good),
        Row("length news", 200, fields(rest, 600), Row.good, of: nil),
        Row("by date", 200, fields(rest, 600, Samples.dated), Row.good, by: Samples.dated),
        Row("less than asked for", 200, fields("bytes 400-499/1000", 100), Row.piece(of: 1000)),
        Row("no Content-Length", 200, fields(rest, nil), differs),
        Row("no validator", 200, fields(rest, 600, [:]), differs),
        Row("by date, not repeated", 200, fields(rest, 600, [:]), differs, by: Samples.dated),
        Row("complete length unknown", 200, fields("bytes 400-999/*", 600), differs),
        Row("transformed", 203, fields(rest, 600), differs),
        Row("no part", 200, fields("bytes */1000", 600), differs),
        Row("no part, no length", 200, fields("bytes */1000", nil), differs),
        Row("malformed", 200, fields("bytes 400-999/600", 600), differs),
        Row("another unit", 200, fields("pages 4-9/10", 600), differs),
        Row("two fields", 200, twice, differs),
        Row(
            "the whole range, and less content",
            200,
            fields("bytes 0-999/1000", 600),
            Row.violation(.otherStart(requested: 400, received: 0))
        ),
        Row(
            "another range",
            200,
            fields("bytes 500-999/1000", 500),
            Row.violation(.otherStart(requested: 400, received: 500))
        ),
        Row("another Content-Length", 200, fields(rest, 601), Row.violation(.contentLengthDiffers)),
        Row("beyond the gap", 200, fields(rest, 600), Row.violation(.otherEnd), request: (400, 500)),
        Row("another complete length", 200, fields("bytes 400-1000/1001", 601), Row.changed(.completeLength)),
        Row("another tag", 200, fields(rest, 600, [.eTag: "\"v2\""]), Row.changed(.entityTag)),
        Row(
            "several parts",
            200,
            Samples.merged(fields(rest, 600), [.contentType: "multipart/byteranges; boundary=a"]),
            Row.violation(.multipart)
        ),
        Row(
            "a coding",
            200,
            Samples.merged(fields(rest, 600), [.contentEncoding: "gzip"]),
            Row.violation(.contentCoded)
        ),
    ]

    @Test(arguments: parts)
    func `a part is used only if all fields agree`(_ row: Row) {
        let request = PartRequest.part(
            from: row.request?.first ?? 0,
            to: row.request?.end,
            of: Samples.validator(row.validators)
        )
        #expect(Self.decide(request, row.status, row.fields, of: row.length, by: row.validators) == row.decision)
    }

    @Test(
        arguments: [
            fields("bytes 0-999/1000", 1000), fields("bytes 0-999/1000", nil), fields("bytes */1000", 1000),
        ]
    )
    func `fields that describe the whole agree with the status`(_ fields: HTTPFields) {
        let request = PartRequest.part(from: 400, to: nil, of: Samples.validator())
        #expect(Self.decide(request, 200, fields) == Self.whole(fields, .rangeIgnored))
        #expect(Self.decide(.whole, 200, fields) == Self.whole(fields, nil))
        #expect(Self.decide(.beginning(byteCount: 100), 200, fields) == Self.whole(fields, nil))
        #expect(Representation(status: 200, fields, now: Samples.now).completeLength == 1000)
    }

    @Test(arguments: [Samples.tagged, Samples.dated, [:]])
    func `a shorter content with no other validator may be the tail`(_ validators: HTTPFields) {
        let fields = Samples.whole(600, validators)
        let request = PartRequest.part(from: 400, to: nil, of: Samples.validator())
        #expect(Self.decide(request, 200, fields) == Row.changed(.completeLength))
        let fewer = Samples.whole(399, validators)
        #expect(Self.decide(request, 200, fewer, of: nil) == Row.changed(.completeLength))
        let longer = Samples.whole(1001, validators)
        #expect(Self.decide(request, 200, longer) == Self.whole(longer, .resourceChanged(.completeLength)))
        let other = Samples.whole(600, [.eTag: "\"v2\""])
        #expect(Self.decide(request, 200, other) == Self.whole(other, .resourceChanged(.entityTag)))
        #expect(Self.decide(.whole, 200, fields) == Self.whole(fields, nil))
    }

    @Test func `content without a length must have the length that is known, and is not continued`() {
        let request = PartRequest.part(from: 400, to: nil, of: Samples.validator())
        guard case .whole(let new, .rangeIgnored) = Self.decide(request, 200, Samples.whole(nil)) else {
            return #expect(Bool(false))
        }
        #expect(new.completeLength == 1000 && new.validator == nil && new.absence == .rangesRefused)
        let unknown = Self.decide(request, 200, Samples.whole(nil), of: nil)
        #expect(unknown == Self.whole(Samples.whole(nil), .rangeIgnored))
    }

    // MARK: Other requests

    @Test(
        arguments: [
            fields(rest, 600), fields(rest, nil), fields("bytes 0-99/1000", 100), fields("bytes 0-999/*", 1000),
            fields("bytes */1000", 600), fields("bytes */1000", nil), fields("bytes 0-999/1000", 600),
        ]
    )
    func `a part in answer to a request for the whole is refused`(_ fields: HTTPFields) {
        for status in [200, 203] {
            #expect(Self.decide(.whole, status, fields) == .refuse(.wholeWithRange))
        }
    }

    @Test(arguments: ["pages 0-9/100", "bytes 0-999", "bytes=0-999/1000", ""])
    func `without a range in the request, a field that is no range of bytes does not matter`(_ range: String) {
        let fields = Self.fields(range, 1000)
        #expect(Self.decide(.whole, 200, fields) == Self.whole(fields, nil))
    }

    @Test func `the beginning is used if all fields agree`() {
        let beginning = PartRequest.beginning(byteCount: 100)
        let agreeing = Self.fields("bytes 0-99/1000", 100)
        guard case .beginning(let new, 0..<100) = Self.decide(beginning, 200, agreeing) else {
            return #expect(Bool(false))
        }
        #expect(new.completeLength == 1000 && new.validator == Samples.validator())
        let others = [
            Self.fields("bytes 0-99/1000", nil), Self.fields("bytes 0-99/1000", 99), Self.fields("bytes 0-99/*", 100),
            Self.fields("bytes 1-100/1000", 100), Self.fields("bytes 0-100/1000", 101),
            Self.fields("bytes */1000", 100), Self.fields("bytes 0-99/1000", 100, [:]), Self.fields("bytes 0-99", 100),
            Samples.whole(100),
        ]
        for fields in others { #expect(Self.decide(beginning, 200, fields) == .undivided) }
        #expect(Self.decide(beginning, 203, agreeing) == .undivided)
        #expect(Self.decide(beginning, 200, Samples.whole(99)) == Self.whole(Samples.whole(99), nil))
    }

    // MARK: Calls

    @Test func `a tail with status 200 continues the file`() {
        var call = Call.continued()
        let body = call.head(200, Self.fields(Self.rest, 600))
        #expect(body.reception == Reception(offset: 400, end: 1000, restart: nil, absence: nil))
        _ = call.write(600)
        #expect(call.after(call.ended()) == .end(.complete(byteCount: 1000)))
    }

    @Test func `a tail that does not agree begins again without a range`() {
        var call = Call.continued()
        #expect(call.head(200, Self.fields("bytes */1000", 600)) == .send(.whole, after: .zero))
        let body = call.after(call.head(200, Samples.whole(1000)))
        #expect(body.reception?.restart == .violation(.wholeWithRange))
        _ = call.write(1000)
        #expect(call.after(call.ended()) == .end(.complete(byteCount: 1000)))
    }

    @Test func `a second such tail ends the call, and the record stays`() {
        var call = Call.continued()
        _ = call.head(200, Self.fields("bytes */1000", 600))
        let (steps, end) = call.perform(call.head(200, Self.fields(Self.rest, 600)))
        #expect(steps == [] && end.failure == .violation(.wholeWithRange))
    }

    @Test func `content without a length that ends early is requested again`() {
        var call = Call.continued()
        let (steps, body) = call.perform(call.head(200, Samples.whole(nil)))
        #expect(steps.map(DownloadTransferTests.name) == ["discardRecord", "synchronizeFolder", "truncate 0"])
        #expect(body.reception?.end == 1000)
        #expect(call.write(600) == false)
        #expect(call.ended() == .send(.whole, after: .seconds(1)))
    }

    @Test func `workers use the parts of such a server, and end when one does not agree`() {
        var call = Call(maximumRequestCount: 2)
        _ = call.start()
        let step = call.after(call.head(200, Self.fields("bytes 0-99/1000", 100)))
        #expect(step == .work(.receive(Reception(offset: 0, end: 100, restart: nil, absence: nil))))
        _ = call.machine.addWorker()
        #expect(call.head(200, Self.fields("bytes 100-199/1000", 100), by: 1).isReceiving)
        _ = call.write(100, by: 1)
        _ = call.ended(by: 1)
        #expect(call.head(200, Self.fields("bytes */1000", 100), by: 1) == .leave)
        #expect(call.machine.isEnding)
        #expect(call.cut(by: 0) == .leave)
        #expect(call.workersLeft() == .send(.whole, after: .zero))
    }
}
