// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransfers
import Testing

/// Tests the step by which the owner of a call stores that it is complete, before the call deletes its record.
@Suite("Durable calls with a confirmation")
struct ConfirmationTests {
    private func download(_ call: Call) -> Call {
        var call = call
        call.machine.confirms = true
        return call
    }

    private func upload(_ call: UploadCall) -> UploadCall {
        var call = call
        call.machine.confirms = true
        return call
    }

    // MARK: Downloads

    @Test func `a short download has a record until it is confirmed`() {
        var call = self.download(Call())
        _ = call.start()
        call.machine.fileNumber = 7
        _ = call.head(200, Samples.whole(50))
        _ = call.write(50)
        let (steps, end) = call.perform(call.ended())
        #expect(
            steps.map { DownloadTransferTests.name($0) } == [
                "synchronize", "writeRecord 50", "moveIntoPlace", "synchronizeFolder", "confirm", "discardRecord",
            ]
        )
        guard case .writeRecord(let record) = steps[1] else { return #expect(Bool(false)) }
        #expect(record.isWhole && record.fileNumber == 7)
        #expect(end == .end(.complete(byteCount: 50)))
    }

    @Test func `without a strong validator, there is no record, and the download is confirmed all the same`() {
        var call = self.download(Call())
        _ = call.start()
        _ = call.head(200, [.contentLength: "50"])
        _ = call.write(50)
        let (steps, _) = call.perform(call.ended())
        #expect(steps == [.synchronize, .moveIntoPlace, .synchronizeFolder, .confirm])
    }

    @Test func `a call that finds the file in its place confirms it, and sends nothing`() {
        let record = Samples.record(ByteRangeSet(0..<1000))
        let destination = FoundFiles.Destination(byteCount: 1000, number: record.fileNumber ?? 0)
        var call = self.download(Call(.usable(record), FoundFiles(destination: destination)))
        let (steps, end) = call.perform(call.start())
        #expect(steps == [.synchronizeFolder, .confirm, .discardRecord])
        #expect(end == .end(.complete(byteCount: 1000)))
    }

    @Test func `if the confirmation fails, the record stays`() {
        var call = self.download(Call())
        _ = call.start()
        _ = call.head(200, Samples.whole(50))
        _ = call.write(50)
        var step = call.ended()
        while case .perform(let action) = step, action != .confirm { step = call.machine.performed() }
        #expect(step == .perform(.confirm))
        #expect(call.machine.fileFailed().failure == .fileFailed)
    }

    @Test func `a download that fails confirms nothing`() {
        var call = self.download(Call())
        _ = call.start()
        let (steps, end) = call.perform(call.head(404))
        #expect(!steps.contains(.confirm))
        #expect(end.failure == .status(404))
    }

    // MARK: Uploads

    @Test func `the answer of an upload is confirmed before the record is deleted`() {
        var call = self.upload(UploadCall.offered())
        call.machine.sent(byteCount: 1000)
        let (steps, end) = call.perform(call.head(201))
        #expect(steps == [.confirm, .discard, .synchronizeFolder])
        #expect(end == .end(.answered(.resumable)))
    }

    @Test func `the answer of a plain upload is confirmed, too`() {
        var call = self.upload(UploadCall())
        _ = call.start()
        call.machine.sent(byteCount: 1000)
        let (steps, end) = call.perform(call.plainHead(201))
        #expect(steps == [.confirm])
        #expect(end == .end(.answered(.plain)))
    }

    @Test func `an upload whose answer is lost is confirmed`() {
        var call = self.upload(UploadCall.continued())
        let (steps, end) = call.perform(call.head(200, [.uploadOffset: "1000", .uploadComplete: "?1"]))
        #expect(steps == [.confirm, .discard, .synchronizeFolder])
        guard case .completedWithoutAnswer? = end.outcome else { return #expect(Bool(false)) }
    }

    @Test func `an upload that was complete before is confirmed`() {
        var call = self.upload(UploadCall.appending())
        let (steps, end) = call.perform(call.head(410, [:], .completed))
        #expect(steps == [.confirm, .discard, .synchronizeFolder])
        guard case .completedWithoutAnswer? = end.outcome else { return #expect(Bool(false)) }
    }

    @Test(arguments: [303, 403, 503])
    func `an answer that refuses the upload confirms nothing`(status: Int) {
        var call = self.upload(UploadCall())
        _ = call.start()
        call.machine.sent(byteCount: 1000)
        let (plainSteps, plainEnd) = call.perform(call.plainHead(status))
        #expect(plainSteps == [])
        #expect(plainEnd == .end(.answered(.plain)))
        call = self.upload(UploadCall.offered())
        call.machine.sent(byteCount: 1000)
        let (steps, end) = call.perform(call.head(status, [.uploadComplete: "?1"]))
        #expect(steps == [.discard, .synchronizeFolder])
        #expect(end == .end(.answered(.resumable)))
    }

    @Test func `an upload that is interrupted or fails confirms nothing`() {
        var call = self.upload(UploadCall.continued())
        #expect(!call.perform(call.cut(Samples.cancelled)).0.contains(.confirm))
        call = self.upload(UploadCall.continued())
        #expect(!call.perform(call.head(403)).0.contains(.confirm))
    }
}
