// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("DownloadStateMachine: bodies, synchronization and the order at the end")
struct DownloadTransferTests {
    private static let complete = DownloadStep.end(.complete(byteCount: 1000))

    @Test func `a short download is synchronized, renamed, and has no record`() {
        var call = Call()
        #expect(call.start() == .send(.whole, after: .zero))
        let body = call.head(200, Samples.whole(50))
        #expect(body.reception?.offset == 0 && body.reception?.end == 50 && body.reception?.restart == nil)
        #expect(call.positions[0]?.offset == 0)
        #expect(call.write(20) == false)
        #expect(call.positions[0]?.offset == 20)
        #expect(call.write(30) == false)
        #expect(call.machine.progress == DownloadProgress(completedByteCount: 50, totalByteCount: 50))
        let (steps, end) = call.perform(call.ended())
        #expect(steps == [.synchronize, .moveIntoPlace, .synchronizeFolder])
        #expect(end == .end(.complete(byteCount: 50)))
    }

    @Test func `an empty file is complete`() {
        var call = Call()
        _ = call.start()
        _ = call.head(200, Samples.whole(0))
        let (steps, end) = call.perform(call.ended())
        #expect(steps == [.synchronize, .moveIntoPlace, .synchronizeFolder])
        #expect(end == .end(.complete(byteCount: 0)))
    }

    @Test func `the record has only bytes that were written before the synchronization began`() {
        var call = Call()
        _ = call.start()
        _ = call.head(200, Samples.whole(1000))
        call.machine.fileNumber = 7
        #expect(call.write(99) == false)
        #expect(call.write(1) == true)
        #expect(call.write(300) == false)  // while the synchronization runs
        let first = Samples.record(ByteRangeSet(0..<100), digest: nil)
        let expected = DownloadRecord(
            fileName: first.fileName,
            source: first.source,
            creationDate: Samples.now,
            validator: Samples.validator(),
            completeLength: 1000,
            mediaType: nil,
            fileNumber: 7,
            ranges: ByteRangeSet(0..<100)
        )
        #expect(call.machine.synced() == [.writeRecord(Samples.required(expected)), .synchronizeFolder])
        #expect(call.machine.synced() == [])
        #expect(call.write(1) == true)
        let steps = call.machine.synced()
        guard case .writeRecord(let record)? = steps.first else { return #expect(Bool(false)) }
        #expect(record.ranges == ByteRangeSet(0..<401) && steps.count == 1)
    }

    @Test func `a long download ends in the documented order`() {
        var call = Call(expecting: Samples.digest)
        _ = call.start()
        _ = call.head(200, Samples.whole(1000))
        #expect(call.write(900) == true)
        _ = call.machine.synced()
        #expect(call.write(100) == true)
        let (steps, end) = call.perform(call.ended())
        #expect(
            steps.map(Self.name) == [
                "synchronize", "writeRecord 1000", "checkDigest", "moveIntoPlace", "synchronizeFolder", "discardRecord",
            ]
        )
        #expect(end == Self.complete)
    }

    @Test func `a digest that differs deletes the record, then the file`() {
        var call = Call.continued(expecting: Samples.digest)
        _ = call.head(206, Samples.part("bytes 400-999/1000"))
        _ = call.write(600)
        let (steps, end) = call.perform(call.ended(), digestMatches: false)
        #expect(
            steps.map(Self.name) == [
                "synchronize", "writeRecord 1000", "checkDigest", "discardRecord", "deletePartialFile",
            ]
        )
        #expect(end.failure == .digestMismatch(.sha256, .caller))
    }

    private static let digestText = "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:"

    @Test(
        arguments: [
            (Samples.whole(9, Samples.tagged, [.reprDigest: digestText]), nil, true),
            (Samples.whole(9), [.contentDigest: digestText], true),
            (Samples.whole(nil), [.reprDigest: digestText], true),
            (Samples.whole(9, Samples.tagged, [.reprDigest: digestText, .contentEncoding: "gzip"]), nil, false),
            (Samples.whole(nil, Samples.tagged, [.contentEncoding: "gzip"]), [.contentDigest: digestText], false),
            (Samples.whole(9), nil, false),
        ] as [(HTTPFields, HTTPFields?, Bool)]
    )
    func `the server's digest is checked, from the head or the trailers`(
        _ fields: HTTPFields,
        _ trailers: HTTPFields?,
        _ isChecked: Bool
    ) {
        var call = Call()
        _ = call.start()
        _ = call.head(200, fields)
        _ = call.write(9)
        let digest = Samples.required(TransferDigest([.reprDigest: Self.digestText], isWhole: true))
        let steps = call.perform(call.ended(trailers: trailers)).0
        #expect(steps.contains(.checkDigest(digest)) == isChecked)
    }

    @Test func `the caller's digest takes precedence`() {
        var call = Call(expecting: Samples.digest)
        _ = call.start()
        _ = call.head(200, Samples.whole(1, Samples.tagged, [.reprDigest: Self.digestText]))
        _ = call.write(1)
        #expect(call.perform(call.ended()).0.contains(.checkDigest(Samples.digest)))
    }

    // MARK: Continuing

    @Test func `a part is appended, and a tail that was never safe is dropped first`() {
        var call = Call.continued(fileByteCount: 450)
        let (steps, body) = call.perform(call.head(206, Samples.part("bytes 400-999/1000")))
        #expect(steps == [.truncate(byteCount: 400)])
        #expect(body.reception?.offset == 400 && body.reception?.end == 1000 && body.reception?.restart == nil)
        #expect(call.positions[0]?.offset == 400)
        #expect(call.write(600) == true)
        #expect(call.after(call.ended()) == Self.complete)
    }

    @Test func `gaps are filled one after the other`() {
        let ranges = Samples.required(ByteRangeSet(normalized: [0..<400, 500..<900]))
        var call = Call.continued(Samples.record(ranges), fileByteCount: 1000)
        let (steps, body) = call.perform(call.head(206, Samples.part("bytes 400-499/1000")))
        #expect(steps == [.truncate(byteCount: 900)])
        #expect(body.reception?.end == 500)
        _ = call.write(100)
        let next = call.ended()
        #expect(
            next.request?.fields[.range] == "bytes=900-" && next == .send(Samples.required(next.request), after: .zero)
        )
        _ = call.head(206, Samples.part("bytes 900-999/1000"))
        _ = call.write(100)
        #expect(call.after(call.ended()) == Self.complete)
    }

    @Test func `a file of unknown length is complete when the server has no more`() {
        var call = Call.continued(Samples.record(of: nil))
        _ = call.head(206, Samples.part("bytes 400-499/*"))
        _ = call.write(100)
        let next = call.ended()
        #expect(next.request?.fields[.range] == "bytes=500-")
        let (steps, end) = call.perform(call.head(416, [.contentRange: "bytes */500"]))
        #expect(
            steps.map(Self.name) == [
                "synchronize", "writeRecord 500", "moveIntoPlace", "synchronizeFolder", "discardRecord",
            ]
        )
        #expect(end == .end(.complete(byteCount: 500)))
    }

    @Test func `all bytes are there, and only the server's word was missing`() {
        var call = Call.continued(Samples.record(of: nil))
        let (steps, end) = call.perform(call.head(416, [.contentRange: "bytes */400"]))
        #expect(steps.map(Self.name) == ["writeRecord 400", "moveIntoPlace", "synchronizeFolder", "discardRecord"])
        #expect(end == .end(.complete(byteCount: 400)))
    }

    // MARK: Beginning again

    /// After a crash, no record may claim bytes of the old version in a file with bytes of the new one.
    @Test func `the old record is replaced before the file is changed`() {
        var call = Call.continued()
        let (steps, body) = call.perform(call.head(200, Samples.whole(1000, [.eTag: "\"v2\""])))
        #expect(steps.map(Self.name) == ["writeRecord 0", "synchronizeFolder", "truncate 0"])
        #expect(body.reception?.offset == 0)
        #expect(call.machine.progress.completedByteCount == 0)
    }

    @Test func `without a validator, the old record is deleted, and none is written`() {
        var call = Call.continued()
        let (steps, body) = call.perform(call.head(200, Samples.whole(1000, [:])))
        #expect(steps == [.discardRecord, .synchronizeFolder, .truncate(byteCount: 0)])
        #expect(body.reception?.absence == .noValidator)
        #expect(call.write(900) == false)
        #expect(call.write(100) == false)
        #expect(call.perform(call.ended()).0 == [.synchronize, .moveIntoPlace, .synchronizeFolder])
    }

    @Test func `a synchronization that ends after the file began again adds nothing to the record`() {
        var call = Call.continued()
        _ = call.head(206, Samples.part("bytes 400-999/1000"))
        #expect(call.write(100) == true)
        _ = call.cut()
        _ = call.head(200, Samples.whole(1000, [.eTag: "\"v2\""]))
        #expect(call.machine.synced() == [])
    }

    @Test func `a file operation that fails ends the call and touches nothing`() {
        var call = Call.continued()
        _ = call.head(200, Samples.whole(1000, [.eTag: "\"v2\""]))
        #expect(call.machine.fileFailed().failure == .fileFailed)
        #expect(call.machine.fileFailed().failure == .fileFailed)
    }

    static func name(_ step: FileStep) -> String {
        switch step {
        case .writeRecord(let record): "writeRecord \(record.ranges.byteCount)"
        case .discardRecord: "discardRecord"
        case .confirm: "confirm"
        case .synchronizeFolder: "synchronizeFolder"
        case .truncate(let byteCount): "truncate \(byteCount)"
        case .reserve(let byteCount): "reserve \(byteCount)"
        case .synchronize: "synchronize"
        case .checkDigest: "checkDigest"
        case .moveIntoPlace: "moveIntoPlace"
        case .deletePartialFile: "deletePartialFile"
        }
    }
}
