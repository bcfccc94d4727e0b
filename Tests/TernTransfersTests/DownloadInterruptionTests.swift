// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransfers
import Testing

@Suite("DownloadStateMachine: interruptions, refusals and violations")
struct DownloadInterruptionTests {
    private static let safe = ["synchronize", "writeRecord 500", "synchronizeFolder"]
    private static let rest = "bytes 400-999/1000"

    /// Receives 100 bytes of the rest, which are not safe.
    private static func receiving(policy: ResumptionPolicy = Call.policy) -> Call {
        var call = Call.continued(policy: policy, syncInterval: 1000)
        _ = call.head(206, Samples.part(self.rest))
        _ = call.write(100)
        return call
    }

    // MARK: Cuts

    @Test func `within a call, a cut body continues after the last byte that was written`() {
        var call = Self.receiving()
        let step = call.cut()
        #expect(step.request?.fields[.range] == "bytes=500-")
        #expect(step == .send(Samples.required(step.request), after: .seconds(1)))
        #expect(call.machine.progress.completedByteCount == 500)
        let (steps, body) = call.perform(call.head(206, Samples.part("bytes 500-999/1000")))
        #expect(steps == [] && body.reception?.offset == 500)
    }

    @Test func `attempts without progress come to an end, and the bytes are made safe`() {
        var call = Self.receiving()
        #expect(call.cut() == .send(.part(from: 500, to: nil, of: Samples.validator()), after: .seconds(1)))
        #expect(call.cut() == .send(.part(from: 500, to: nil, of: Samples.validator()), after: .seconds(2)))
        let (steps, end) = call.perform(call.cut())
        #expect(steps.map(DownloadTransferTests.name) == Self.safe)
        #expect(end.failure == .interrupted)
    }

    @Test(arguments: [Samples.cancelled, .timedOut(.call, limit: .seconds(1), .init(phase: .body))])
    func `an error that is final ends the call at once, and the bytes are made safe`(_ error: ClientError) {
        var call = Self.receiving()
        let (steps, end) = call.perform(call.cut(error))
        #expect(steps.map(DownloadTransferTests.name) == Self.safe)
        #expect(end.failure == .interrupted)
    }

    @Test func `a call without retries ends at the first cut`() {
        var call = Self.receiving(policy: .manual)
        #expect(call.after(call.cut()).failure == .interrupted)
    }

    @Test func `a megabyte of progress makes the count of attempts start again`() {
        var call = Call.continued(Samples.record(of: 1 << 40), policy: ResumptionPolicy(maximumAttemptCount: 2))
        for round in 0..<10 {
            let start = 400 + round << 20
            _ = call.head(206, Samples.part("bytes \(start)-\((1 << 40) - 1)/\(1 << 40)"))
            _ = call.write(1 << 20)
            #expect(call.cut().request?.first == Int64(400 + (round + 1) << 20))
        }
    }

    @Test func `a body that ends early is a cut`() {
        var call = Self.receiving()
        #expect(call.ended() == .send(.part(from: 500, to: nil, of: Samples.validator()), after: .seconds(1)))
    }

    @Test func `a body whose end is lost after its last byte is complete`() {
        var call = Self.receiving()
        _ = call.write(500)
        #expect(call.after(call.cut()) == .end(.complete(byteCount: 1000)))
    }

    @Test func `a server that sends little pieces comes to an end`() {
        var call = Call.continued(syncInterval: 1000)
        for start in 400..<402 {
            _ = call.head(206, Samples.part("bytes \(start)-\(start)/1000"))
            _ = call.write(1)
            #expect(
                call.ended() == .send(.part(from: Int64(start + 1), to: nil, of: Samples.validator()), after: .zero)
            )
        }
        _ = call.head(206, Samples.part("bytes 402-402/1000"))
        _ = call.write(1)
        #expect(call.after(call.ended()).failure == .interrupted)
    }

    /// The progress never goes back, because the resource may well be the same.
    @Test func `without a validator, a cut body begins again`() {
        var call = Call()
        _ = call.start()
        _ = call.head(200, Samples.whole(1000, [:]))
        _ = call.write(600)
        #expect(call.cut() == .send(.whole, after: .seconds(1)))
        let (steps, body) = call.perform(call.head(200, Samples.whole(1000, [:])))
        #expect(steps == [.truncate(byteCount: 0)])
        #expect(body.reception?.restart == .noValidator(.noValidator))
        _ = call.write(100)
        #expect(call.machine.progress.completedByteCount == 600)
        _ = call.write(501)
        #expect(call.machine.progress.completedByteCount == 601)
        #expect(call.perform(call.cut(Samples.cancelled)).0 == [.deletePartialFile])
    }

    // MARK: Statuses

    @Test(arguments: [401, 403, 404, 410, 304, 412, 501, 204])
    func `a refusal keeps the record`(_ status: Int) {
        var call = Call.continued()
        #expect(call.head(status, Samples.part(Self.rest)) == .end(.failed(.status(status))))
        var second = Self.receiving()
        _ = second.cut()
        let (steps, end) = second.perform(second.head(status))
        #expect(steps.map(DownloadTransferTests.name) == Self.safe)
        #expect(end.failure == .status(status))
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `a status that may pass is repeated, then keeps the record`(_ status: Int) {
        var call = Call.continued()
        let request = PartRequest.part(from: 400, to: nil, of: Samples.validator())
        #expect(call.head(status) == .send(request, after: .seconds(1)))
        #expect(call.head(status, [.retryAfter: "30"]) == .send(request, after: .seconds(32)))
        #expect(call.head(status) == .end(.failed(.status(status))))
    }

    @Test func `a server that asks for a long pause ends the call`() {
        var call = Call.continued()
        #expect(call.head(503, [.retryAfter: "61"]) == .end(.failed(.status(503))))
    }

    @Test func `a refused first request leaves nothing behind`() {
        var call = Call()
        _ = call.start()
        #expect(call.head(404) == .end(.failed(.status(404))))
    }

    // MARK: Violations

    @Test(arguments: DecisionRow.parts + DecisionRow.others)
    func `what cannot be mixed is requested again as a whole, once`(_ row: DecisionRow) {
        guard case .restart(let reason) = row.decision, row.request?.end == nil else { return }
        let record = Samples.record(of: row.length, row.validators)
        var call = Call.continued(record, syncInterval: 1000)
        #expect(call.head(row.status, row.fields) == .send(.whole, after: .zero))
        // Nothing has been thrown away so far.
        var refused = call
        #expect(refused.head(404) == .end(.failed(.status(404))))
        let body = call.after(call.head(200, Samples.whole(row.length.map(Int.init), row.validators)))
        #expect(body.reception?.restart == reason)
        _ = call.write(400)
        #expect(call.cut().request?.first == 400)
        let (steps, end) = call.perform(call.head(row.status, row.fields))
        #expect(end.failure == .restartedTwice(reason))
        #expect(steps.map(DownloadTransferTests.name) == ["synchronize", "writeRecord 400", "synchronizeFolder"])
    }

    @Test func `an interruption does not turn the whole into a part again`() {
        var call = Call.continued()
        #expect(call.head(206, Samples.part("bytes 0-9/1000")).request == .whole)
        #expect(call.cut() == .send(.whole, after: .seconds(1)))
        #expect(call.head(503) == .send(.whole, after: .seconds(2)))
    }

    @Test func `a part that was not requested ends the call`() {
        var call = Call()
        _ = call.start()
        #expect(call.head(206, Samples.part("bytes 0-9/10")) == .end(.failed(.violation(.notRequested))))
    }

    @Test func `a body that is longer than its head says is not written, and none of it is used`() {
        var call = Self.receiving()
        #expect(call.exceed(501) == .send(.whole, after: .zero))
        _ = call.after(call.head(200, Samples.whole(1000)))
        _ = call.write(1000)
        let step = call.exceed(1)
        #expect(call.after(step).failure == .restartedTwice(.violation(.bodyTooLong)))
    }

    @Test func `every violation names its section`() {
        let all: [RangeViolation] = [
            .multipart, .contentCoded, .contentRangeMissing, .contentRangeMalformed,
            .otherStart(requested: 1, received: 0),
            .otherEnd, .contentLengthDiffers, .entityTagMissing, .bodyTooLong, .rangeRefused, .notRequested,
            .wholeWithRange,
        ]
        for violation in all { #expect(violation.section.hasPrefix("§")) }
    }
}
