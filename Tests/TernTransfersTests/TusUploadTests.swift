// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("UploadStateMachine: uploads by tus 1.0.0, and cancelling")
struct TusUploadTests {
    private static func created(
        _ configuration: UploadConfiguration = UploadSamples.configuration(.tus)
    ) -> (
        [RecordStep], UploadStep, UploadCall
    ) {
        var call = UploadCall(configuration)
        _ = call.start()
        let (steps, step) = call.perform(call.head(201, [.location: "/uploads/abc"]))
        return (steps, step, call)
    }

    @Test func `the record is on the disk before the first byte is sent`() {
        let (steps, step, call) = Self.created()
        #expect(steps.map(\.name) == ["write 0!", "synchronizeFolder"])
        let request = UploadRequest(
            .append,
            .patch,
            .upload(UploadSamples.location),
            fields: TusDialect().appendFields(0..<1000, completes: true),
            body: 0..<1000
        )
        #expect(step == .send(request, after: .zero))
        var next = call
        next.machine.sent(byteCount: 1000)
        let (after, end) = next.perform(next.head(204, [.uploadOffset: "1000"]))
        #expect(after == [.discard, .synchronizeFolder] && end == .end(.answered(.resumable)))
    }

    @Test func `a server that took less gets the rest, but not without end`() {
        var (_, _, call) = Self.created()
        #expect(call.after(call.head(204, [.uploadOffset: "300"])).request?.body == 300..<1000)
        #expect(call.after(call.head(204, [.uploadOffset: "300"])).request?.body == 300..<1000)
        #expect(call.after(call.head(204, [.uploadOffset: "300"])).failure == .conflict)
    }

    @Test func `a file is sent in parts, with a hash for each`() {
        let tus = TusOptions(checksum: .sha256)
        var (_, step, call) = Self.created(UploadSamples.configuration(.tus, part: 600, tus: tus))
        #expect(step.request?.body == 0..<600 && step.request?.checksum == .sha256)
        step = call.after(call.head(204, [.uploadOffset: "600"]))
        #expect(step.request?.body == 600..<1000 && step.request?.checksum == .sha256)
    }

    @Test func `parts with a hash have 16 MiB if the caller says nothing`() {
        let tus = TusOptions(checksum: .sha1)
        let file = UploadSamples.identity(1 << 30)
        let (_, step, _) = Self.created(UploadSamples.configuration(.tus, file: file, tus: tus))
        #expect(step.request?.body == 0..<(16 << 20))
    }

    @Test func `a part that arrived with other bytes is sent again, three times`() {
        var (_, _, call) = Self.created(UploadSamples.configuration(.tus, tus: TusOptions(checksum: .md5)))
        for _ in 0..<3 {
            #expect(call.head(460).request?.purpose == .locate)
            #expect(call.after(call.head(200, [.uploadOffset: "0"])).request?.body == 0..<1000)
        }
        #expect(call.after(call.head(460)).failure == .checksumMismatch)
    }

    @Test func `an upload with all bytes is complete, and its answer is lost`() {
        var call = UploadCall.continued(UploadSamples.configuration(.tus))
        #expect(call.after(call.head(200, [.uploadOffset: "1000"])) == .end(.completedWithoutAnswer(lastStatus: nil)))
    }

    @Test func `a server without Creation With Upload gets the content in another request`() {
        var call = UploadCall(UploadSamples.configuration(.tus, tus: TusOptions(createsWithContent: true)))
        #expect(call.start().request?.body == 0..<1000)
        let step = call.after(call.head(201, [.location: "/uploads/abc"]))
        #expect(step.request?.purpose == .locate)
        #expect(call.after(call.head(200, [.uploadOffset: "0"])).request?.body == 0..<1000)
    }

    @Test func `a server that does not speak tus is not used`() {
        var call = UploadCall(UploadSamples.configuration(.tus))
        _ = call.start()
        #expect(call.plainHead(201, [.location: "/uploads/abc"]) == .end(.failed(.unsupported)))
    }

    @Test func `an informational response means nothing`() {
        var (_, _, call) = Self.created()
        #expect(call.informed([.uploadOffset: "100", .location: "/other"]) == .proceed([]))
    }

    @Test func `the time of expiry is in the record`() {
        var call = UploadCall(UploadSamples.configuration(.tus))
        _ = call.start()
        let fields: HTTPFields = [.location: "/uploads/abc", .uploadExpires: Samples.date]
        guard case .perform(.write(let record)) = call.head(201, fields) else { return #expect(Bool(false)) }
        #expect(record.expirationDate == Samples.now && record.uploadProtocol == .tus)
    }

    // MARK: Cancelling

    private static let protocols: [UploadProtocol] = [.draft(.six), .draft(.eight), .tus]

    @Test(arguments: protocols, [204, 200, 404, 410])
    func `the upload of a record is cancelled`(_ uploadProtocol: UploadProtocol, _ status: Int) {
        let record = UploadSamples.record(uploadProtocol, url: UploadSamples.elsewhere)
        // The file need not be there any more.
        let configuration = UploadSamples.configuration(uploadProtocol, file: UploadSamples.identity(5))
        var call = UploadCall(configuration, .usable(record))
        let request = call.machine.startCancelling().request
        #expect(request?.method == .delete && request?.isCrossOrigin == true && request?.body == nil)
        #expect(request?.fields == call.version)
        let (steps, end) = call.perform(call.head(status))
        #expect(steps == [.discard, .synchronizeFolder] && end == .end(.cancelled))
    }

    @Test(arguments: protocols)
    func `cancelling is repeated after an interruption, and a refusal keeps the record`(
        _ uploadProtocol: UploadProtocol
    ) {
        let stored = StoredUpload.usable(UploadSamples.record(uploadProtocol))
        var call = UploadCall(UploadSamples.configuration(uploadProtocol), stored)
        let first = call.machine.startCancelling()
        #expect(call.cut() == .send(Samples.required(first.request), after: .seconds(1)))
        #expect(call.head(503).request == first.request)
        #expect(call.head(405) == .end(.failed(.refused(status: 405))))
    }

    @Test(arguments: protocols)
    func `an upload is cancelled in the middle of a call`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall.appending(UploadSamples.configuration(uploadProtocol))
        #expect(call.machine.abandon().request?.purpose == .cancel)
        #expect(call.after(call.head(204)) == .end(.cancelled))
        var early = UploadCall(UploadSamples.configuration(uploadProtocol))
        _ = early.start()
        #expect(early.machine.abandon() == .end(.cancelled))
    }

    @Test func `without a usable record, there is nothing to cancel`() {
        var absent = UploadCall()
        #expect(absent.machine.startCancelling() == .end(.cancelled))
        var unusable = UploadCall(UploadSamples.configuration(), .unusable(.damaged))
        let (steps, end) = unusable.perform(unusable.machine.startCancelling())
        #expect(steps == [.discard, .synchronizeFolder] && end == .end(.cancelled))
    }
}
