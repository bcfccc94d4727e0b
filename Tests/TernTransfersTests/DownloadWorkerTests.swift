// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransfers
import TestSupport
import Testing

@Suite("DownloadStateMachine: several requests at the same time")
struct DownloadWorkerTests {
    private static let safe = ["synchronize", "writeRecord 131", "synchronizeFolder"]

    /// A call that has received the head of the first 100 of 1000 bytes, and whose other workers have requests.
    private static func working(
        _ count: Int = 3,
        of length: Int = 1000,
        policy: ResumptionPolicy = Call.policy
    ) -> Call {
        var call = Call(policy: policy, syncInterval: 1000, maximumRequestCount: count)
        #expect(call.start() == .send(.beginning(byteCount: 100), after: .zero))
        let (steps, step) = call.perform(call.head(206, Samples.part("bytes 0-99/\(length)")))
        #expect(steps == [.reserve(byteCount: Int64(length))])
        #expect(step == .work(.receive(Reception(offset: 0, end: 100, restart: nil, absence: nil))))
        for number in 1..<count {
            let first = Int64(number * 100)
            #expect(call.machine.addWorker()?.step == .send(Self.part(first..<first + 100), after: .zero))
        }
        #expect(call.machine.addWorker() == nil)
        return call
    }

    /// A call whose three workers receive bodies.
    private static func receiving(policy: ResumptionPolicy = Call.policy) -> Call {
        var call = Self.working(policy: policy)
        for number in 1...2 { #expect(call.answer(number * 100, of: number).isReceiving) }
        #expect(call.machine.concurrentRequestCount == 3)
        return call
    }

    private static func part(_ range: Range<Int64>) -> PartRequest {
        .part(from: range.lowerBound, to: range.upperBound, of: Samples.validator())
    }

    // MARK: Dividing

    @Test func `the beginning is requested without a condition`() {
        #expect(PartRequest.beginning(byteCount: 100).fields == [.acceptEncoding: "identity", .range: "bytes=0-99"])
        #expect(Self.part(100..<200).fields[.ifRange] == "\"v1\"")
    }

    @Test func `a worker takes the next piece, and leaves when there is none`() {
        var call = Self.working(2, of: 250)
        #expect(call.write(100, by: 0) == false)
        #expect(call.ended(by: 0) == .send(Self.part(200..<250), after: .zero))
        #expect(call.answer(100, length: 250, of: 1).isReceiving)
        _ = call.write(100, by: 1)
        #expect(call.ended(by: 1) == .leave)
        #expect(call.answer(200, 249, length: 250, of: 0).isReceiving)
        _ = call.write(50, by: 0)
        #expect(call.ended(by: 0) == .leave)
        let (steps, end) = call.perform(call.workersLeft())
        #expect(steps.map(DownloadTransferTests.name) == ["synchronize", "moveIntoPlace", "synchronizeFolder"])
        #expect(end == .end(.complete(byteCount: 250)))
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `pieces may be complete in any order`(order: [Int]) {
        var call = Self.working(3, of: 300)
        for number in 1...2 { _ = call.answer(number * 100, length: 300, of: number) }
        for number in order {
            _ = call.write(100, by: number)
            #expect(call.ended(by: number) == .leave)
        }
        #expect(call.after(call.workersLeft()) == .end(.complete(byteCount: 300)))
    }

    @Test func `a range is a share of what is missing, within limits`() {
        let pieces = PieceLength(minimum: 10, maximum: 100)
        var call = Call(syncInterval: 1 << 20, maximumRequestCount: 4, pieces: pieces)
        _ = call.start()
        _ = call.after(call.head(206, Samples.part("bytes 0-9/1010")))
        #expect(call.machine.addWorker()?.step == .send(Self.part(10..<110), after: .zero))
        #expect(call.machine.addWorker()?.step == .send(Self.part(110..<210), after: .zero))
        #expect(call.machine.addWorker()?.step == .send(Self.part(210..<310), after: .zero))
        _ = call.write(10, by: 0)
        #expect(call.ended(by: 0) == .send(Self.part(310..<397), after: .zero))
    }

    @Test(arguments: [-1, 0, 1])
    func `one request is the least`(count: Int) {
        var call = Call(maximumRequestCount: count)
        #expect(call.start() == .send(.whole, after: .zero))
    }

    @Test func `a record is continued by several workers, and the first of them goes alone`() {
        let record = Samples.record(Samples.required(ByteRangeSet(normalized: [100..<200, 250..<400])))
        var call = Call(
            .usable(record),
            FoundFiles(partialByteCount: 450, partialNumber: 7),
            maximumRequestCount: 3
        )
        #expect(call.start() == .send(Self.part(0..<100), after: .zero))
        let (steps, body) = call.perform(call.head(206, Samples.part("bytes 0-99/1000")))
        #expect(steps == [.truncate(byteCount: 400), .reserve(byteCount: 1000)])
        #expect(body == .work(.receive(Reception(offset: 0, end: 100, restart: nil, absence: nil))))
        #expect(call.machine.addWorker()?.step == .send(Self.part(200..<250), after: .zero))
        #expect(call.machine.addWorker()?.step == .send(Self.part(400..<500), after: .zero))
        #expect(call.machine.progress.completedByteCount == 250)
    }

    // MARK: Records

    @Test func `a record has the ranges of all workers that were written before the synchronization`() {
        var call = Self.receiving()
        _ = call.write(30, by: 2)
        #expect(call.write(20, by: 0, isDue: true) == true)
        #expect(call.write(10, by: 1, isDue: true) == false)
        let steps = call.machine.synced()
        guard case .writeRecord(let record)? = steps.first else { return #expect(Bool(false)) }
        #expect(record.ranges == ByteRangeSet(normalized: [0..<20, 200..<230]))
        #expect(call.write(10, by: 2, isDue: true) == true)
    }

    // MARK: Failed attempts

    @Test func `failures at the same time count once`() {
        var call = Self.receiving()
        for number in 0...2 {
            let rest = Self.part(Int64(number * 100)..<Int64(number * 100 + 100))
            #expect(call.cut(by: number) == .send(rest, after: .seconds(1)))
        }
        for number in [2, 0, 1] {
            let rest = Self.part(Int64(number * 100)..<Int64(number * 100 + 100))
            #expect(call.cut(by: number) == .send(rest, after: .seconds(2)))
        }
        #expect(call.cut(by: 1) == .leave)
        #expect(call.machine.isEnding)
    }

    @Test func `a worker without attempts leaves its bytes to those that receive`() {
        var call = Self.receiving()
        _ = call.write(30, by: 1)
        #expect(call.cut(by: 1) == .send(Self.part(130..<200), after: .seconds(1)))
        #expect(call.cut(by: 1) == .send(Self.part(130..<200), after: .seconds(2)))
        #expect(call.cut(by: 1) == .leave)
        #expect(!call.machine.isEnding)
        #expect(call.machine.addWorker() == nil)
        _ = call.write(100, by: 0)
        #expect(call.ended(by: 0) == .send(Self.part(130..<200), after: .zero))
    }

    @Test func `an error that is final ends all workers, and the bytes are made safe`() {
        for (policy, error) in [(Call.policy, Samples.cancelled), (.manual, Samples.reset)] {
            var call = Self.receiving(policy: policy)
            _ = call.write(30, by: 1)
            _ = call.write(100, by: 2)
            #expect(call.cut(error, by: 1) == .leave)
            #expect(call.machine.isEnding)
            // A piece that is written when the worker learns of the end counts, too.
            #expect(call.write(1, by: 0) == nil)
            #expect(call.cut(Samples.cancelled, by: 2) == .leave)
            #expect(call.machine.endingNumber == 1)
            let (steps, end) = call.perform(call.workersLeft())
            #expect(steps.map(DownloadTransferTests.name) == Self.safe)
            #expect(end.failure == .interrupted)
        }
    }

    @Test func `a part that is shorter than requested is continued by its worker`() {
        var call = Self.working()
        #expect(call.answer(100, 149, of: 1).isReceiving)
        _ = call.write(50, by: 1)
        #expect(call.ended(by: 1) == .send(Self.part(150..<200), after: .zero))
    }

    // MARK: Refusals

    @Test(arguments: [429, 503, 403, 404])
    func `a refusal while another worker receives ends only its worker`(status: Int) {
        var call = Self.working()
        #expect(call.head(status, by: 1) == .leave)
        #expect(call.head(status, by: 2) == .leave)
        #expect(!call.machine.isEnding)
        _ = call.write(100, by: 0)
        #expect(call.ended(by: 0) == .send(Self.part(100..<200), after: .zero))
        #expect(call.machine.addWorker() == nil)
        // The last worker has no other to leave its bytes to.
        let step = call.head(status, by: 0)
        if status >= 429 {
            #expect(step == .send(Self.part(100..<200), after: .seconds(1)))
        } else {
            #expect(step == .leave)
            #expect(call.after(call.workersLeft()).failure == .status(status))
        }
    }

    @Test func `a refused connection while another worker receives ends only its worker`() {
        var call = Self.working()
        #expect(call.cut(Samples.refused, by: 1) == .leave)
        #expect(!call.machine.isEnding)
        #expect(call.machine.workerCount == 2)
    }

    @Test func `the same version as a whole is a refusal while another worker receives`() {
        var call = Self.working()
        #expect(call.head(200, Samples.whole(1000), by: 1) == .leave)
        #expect(!call.machine.isEnding)
        _ = call.write(100, by: 0)
        _ = call.ended(by: 0)
        #expect(call.head(200, Samples.whole(1000), by: 0) == .leave)
        #expect(call.machine.isEnding)
        #expect(call.head(206, Samples.part("bytes 200-299/1000"), by: 2) == .leave)
        #expect(call.after(call.workersLeft()).reception?.restart == .rangeIgnored)
    }

    // MARK: Changes

    @Test func `another version ends all workers, and its body is received alone`() {
        var call = Self.receiving()
        _ = call.write(100, by: 2)
        #expect(call.write(10, by: 0, isDue: true) == true)
        _ = call.machine.synced()
        _ = call.cut(by: 1)
        #expect(call.head(200, Samples.whole(1000, [.eTag: "\"v2\""]), by: 1) == .leave)
        #expect(call.machine.isEnding)
        for number in [0, 2] { #expect(call.write(1, by: number) == nil) }
        let (steps, body) = call.perform(call.workersLeft())
        #expect(steps.map(DownloadTransferTests.name) == ["writeRecord 0", "synchronizeFolder", "truncate 0"])
        #expect(body.reception?.restart == .resourceChanged(.entityTag))
        #expect(call.machine.progress.completedByteCount == 0)
        _ = call.write(400)
        #expect(call.cut().request?.fields[.range] == "bytes=400-")
    }

    @Test(
        arguments: [
            (Samples.part("bytes 100-199/1000", [:], [.eTag: "\"v2\""]), RestartReason.resourceChanged(.entityTag)),
            (Samples.part("bytes 100-199/1001"), .resourceChanged(.completeLength)),
            (Samples.part("bytes 101-199/1000"), .violation(.otherStart(requested: 100, received: 101))),
            (Samples.part("bytes 100-200/1000"), .violation(.otherEnd)),
        ]
    )
    func `a part that cannot be mixed ends all workers`(_ fields: HTTPFields, _ reason: RestartReason) {
        var call = Self.working()
        #expect(call.head(206, fields, by: 1) == .leave)
        #expect(call.machine.isEnding)
        #expect(call.cut(Samples.cancelled, by: 0) == .leave)
        #expect(call.cut(Samples.cancelled, by: 2) == .leave)
        #expect(call.workersLeft() == .send(.whole, after: .zero))
        #expect(call.after(call.head(200, Samples.whole(1000))).reception?.restart == reason)
    }

    @Test func `a body that is too long ends all workers, and none of its bytes are in a record`() {
        var call = Self.receiving()
        #expect(call.write(50, by: 1, isDue: true) == true)
        #expect(call.write(51, by: 1) == nil)
        #expect(call.machine.isEnding)
        #expect(call.machine.synced() == [])
    }

    @Test func `no byte of a body that is too long is in a record, also when another worker has ended the call`() {
        var call = Self.receiving(policy: .manual)
        #expect(call.write(40, by: 0, isDue: true) == true)
        #expect(call.machine.synced().count == 2)
        #expect(call.write(50, by: 1) == false)
        #expect(call.cut(by: 2) == .leave)
        #expect(call.write(51, by: 1) == nil)
        #expect(call.cut(Samples.cancelled, by: 0) == .leave)
        let (steps, end) = call.perform(call.workersLeft())
        #expect(steps == [] && end.failure == .interrupted)
    }

    @Test func `a damaged body removes everything`() {
        var call = Self.receiving()
        #expect(call.write(50, by: 1, isDue: true) == true)
        #expect(call.machine.damaged(by: 1) == .leave)
        for number in [0, 2] { #expect(call.cut(Samples.cancelled, by: number) == .leave) }
        #expect(call.machine.synced() == [])
        let (steps, end) = call.perform(call.workersLeft())
        #expect(steps == [.deletePartialFile] && end.failure == .interrupted)
    }

    @Test(arguments: [Samples.cancelled, Samples.reset])
    func `a body that is found damaged when another worker has ended the call removes everything`(
        error: ClientError
    ) {
        var call = Self.receiving(policy: .manual)
        #expect(call.write(50, by: 1, isDue: true) == true)
        #expect(call.cut(error, by: 0) == .leave)
        #expect(call.machine.endingNumber == 0)
        #expect(call.machine.damaged(by: 1) == .leave)
        #expect(call.machine.endingNumber == 1)
        #expect(call.cut(Samples.cancelled, by: 2) == .leave)
        #expect(call.machine.synced() == [])
        let (steps, end) = call.perform(call.workersLeft())
        #expect(steps == [.deletePartialFile] && end.failure == .interrupted)
    }

    @Test func `a body that is found damaged before the call begins again removes everything`() {
        var call = Self.working()
        #expect(call.write(50, by: 0, isDue: true) == true)
        #expect(call.machine.synced().count == 2)
        #expect(call.head(206, Samples.part("bytes 100-199/1001"), by: 1) == .leave)
        #expect(call.machine.damaged(by: 0) == .leave)
        #expect(call.cut(Samples.cancelled, by: 2) == .leave)
        let (steps, end) = call.perform(call.workersLeft())
        #expect(steps == [.discardRecord, .deletePartialFile] && end.failure == .interrupted)
    }

    @Test func `a file that cannot be written ends all workers`() {
        var call = Self.receiving()
        #expect(call.machine.writeFailed(by: 1) == .leave)
        for number in [0, 2] { #expect(call.ended(by: number) == .leave) }
        #expect(call.workersLeft().failure == .fileFailed)
    }

    // MARK: Servers that cannot

    @Test(
        arguments: [
            (206, Samples.part("bytes 0-99/*")), (206, Samples.part("bytes 0-99/1000", [:], [.eTag: "W/\"v1\""])),
            (206, Samples.part("bytes 0-100/1000")), (206, Samples.part("bytes 1-99/1000")),
            (206, Samples.part("bytes 0-99/1000", [.contentEncoding: "gzip"])), (206, Samples.tagged),
            (206, Samples.part("bytes 0-99/1000", [.contentLength: "99"])), (416, [.contentRange: "bytes */0"]),
        ] as [(Int, HTTPFields)]
    )
    func `without what parts need, the whole is requested`(_ status: Int, _ fields: HTTPFields) {
        var call = Call(maximumRequestCount: 3)
        _ = call.start()
        #expect(call.head(status, fields) == .send(.whole, after: .zero))
        let body = call.after(call.head(200, Samples.whole(1000)))
        #expect(body.reception == Reception(offset: 0, end: 1000, restart: nil, absence: nil))
        _ = call.write(400)
        #expect(call.cut().request?.fields[.range] == "bytes=400-")
    }

    @Test func `a first answer that is interrupted is repeated`() {
        var call = Call(maximumRequestCount: 3)
        _ = call.start()
        #expect(call.head(503) == .send(.beginning(byteCount: 100), after: .seconds(1)))
    }
}
