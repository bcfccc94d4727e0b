// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("UploadStateMachine: uploads by the IETF's draft")
struct DraftUploadTests {
    private static let created = ["write 0!", "synchronizeFolder"]

    // MARK: Without interruptions

    @Test func `a server without support gets a plain upload, and its answer is that of the call`() {
        var call = UploadCall()
        _ = call.start()
        call.machine.sent(byteCount: 1000)
        #expect(call.plainHead(201, [.location: "/files/7"]) == .end(.answered(.plain)))
        #expect(
            call.machine.progress
                == UploadProgress(sentByteCount: 1000, acknowledgedByteCount: 1000, totalByteCount: 1000)
        )
    }

    @Test func `a 104 names the upload, and the record is written while the file is sent`() {
        var call = UploadCall()
        _ = call.start()
        let steps = call.informed([.location: "/uploads/abc", .uploadLimit: "max-age=60"]).steps
        #expect(steps?.map(\.name) == Self.created)
        guard case .write(let record)? = steps?.first else { return #expect(Bool(false)) }
        #expect(record.url == UploadSamples.location && record.uploadProtocol == .draft(.eight))
        #expect(record.file == UploadSamples.file && record.creationDate == Samples.now)
        #expect(record.expirationDate == HTTPDate(secondsSince1970: Samples.now.secondsSince1970 + 60))
        #expect(record.resource == TransferResource(origin: "https://example.com:443", path: "/files"))
        let (after, end) = call.perform(call.head(201))
        #expect(after == [.discard, .synchronizeFolder])
        #expect(end == .end(.answered(.resumable)))
    }

    @Test func `more 104s tell the progress, and a record is written when it is due`() {
        var call = UploadCall.offered()
        call.machine.sent(byteCount: 900)
        #expect(call.informed([.uploadOffset: "500"]).steps == [])
        #expect(call.machine.progress.acknowledgedByteCount == 500)
        #expect(call.machine.progress.sentByteCount == 900)
        #expect(call.informed([.uploadOffset: "600"], isDue: true).steps?.map(\.name) == ["write 600!"])
        #expect(call.informed([.uploadOffset: "600"], isDue: true).steps == [])
    }

    @Test func `a record is written after 64 MiB, whatever the time`() {
        let file = UploadSamples.identity(1 << 40)
        var call = UploadCall.offered(UploadSamples.configuration(file: file))
        #expect(call.informed([.uploadOffset: "\(64 << 20 - 1)"]).steps == [])
        #expect(call.informed([.uploadOffset: "\(64 << 20)"]).steps?.map(\.name) == ["write \(64 << 20)!"])
    }

    @Test(
        arguments: [
            (103, [.location: "/uploads/abc"]), (104, [.location: "/uploads/abc", .uploadDraftInteropVersion: "6"]),
            (104, [.location: "http://other.example/insecure"]), (104, [.location: "ftp://example.com/"]), (104, [:]),
        ] as [(Int, HTTPFields)]
    )
    func `an informational response that is of no use is ignored`(_ status: Int, _ fields: HTTPFields) {
        var call = UploadCall()
        _ = call.start()
        #expect(call.informed(fields, status: status) == .proceed([]))
        #expect(call.cut().failure == .interrupted)
    }

    @Test func `a refusal of the request is the answer, whether or not there is an upload`() {
        for status in [400, 401, 403, 405, 409, 422, 303, 501] {
            var plain = UploadCall()
            _ = plain.start()
            #expect(plain.plainHead(status) == .end(.answered(.plain)))
            var call = UploadCall.offered()
            let (steps, end) = call.perform(call.head(status))
            #expect(steps == [.discard, .synchronizeFolder] && end == .end(.answered(.resumable)))
            #expect(call.machine.progress.acknowledgedByteCount == 0)
        }
    }

    // MARK: After an interruption

    @Test func `a cut upload continues after the last byte that the server has`() {
        var call = UploadCall.offered()
        call.machine.sent(byteCount: 800)
        let head = call.cut()
        #expect(head.delay == .seconds(1))
        #expect(head.request == UploadRequest(.locate, .head, .upload(UploadSamples.location), fields: call.version))
        let step = call.head(204, [.uploadOffset: "700", .uploadComplete: "?0", .uploadLength: "1000"])
        let fields = UploadSamples.draft.appendFields(700..<1000, completes: true)
        let append = UploadRequest(
            .append,
            .patch,
            .upload(UploadSamples.location),
            fields: fields,
            body: 700..<1000
        )
        // The record says since the 104 that the upload may be complete.
        #expect(step == .send(append, after: .zero))
        #expect(
            call.machine.progress
                == UploadProgress(sentByteCount: 800, acknowledgedByteCount: 700, totalByteCount: 1000)
        )
        call.machine.sent(byteCount: 300)
        #expect(call.machine.progress.sentByteCount == 1000)
        let (steps, end) = call.perform(call.head(200, [.uploadComplete: "?1"]))
        #expect(steps == [.discard, .synchronizeFolder] && end == .end(.answered(.resumable)))
    }

    @Test func `version 6 continues with its fields, and its answer needs none`() {
        var call = UploadCall.appending(UploadSamples.configuration(.draft(.six)))
        let request = call.after(call.cut()).request
        #expect(request?.fields == [.uploadDraftInteropVersion: "6"])
        let append = call.after(call.head(204, [.uploadOffset: "700", .uploadComplete: "?0"])).request
        #expect(append?.fields[.contentType] == "application/partial-upload")
        #expect(append?.fields[.uploadDraftInteropVersion] == "6")
        #expect(call.after(call.head(201, [.uploadOffset: "1000"])) == .end(.answered(.resumable)))
    }

    @Test func `before the rest is sent, the record says that the upload may be complete`() {
        var call = UploadCall.continued()
        let (steps, step) = call.perform(call.head(204, [.uploadOffset: "700"]))
        #expect(steps.map(\.name) == ["write 700!", "synchronizeFolder"])
        #expect(step.request?.body == 700..<1000)
        #expect(call.machine.resumedByteCount == 700)
    }

    @Test(arguments: [500, 502, 503, 504, 429, 408, 425])
    func `a failure that may pass is followed by the offset`(_ status: Int) {
        var call = UploadCall.offered()
        let step = call.head(status, [.retryAfter: "30"])
        #expect(step.request?.purpose == .locate && step.delay == .seconds(31))
        #expect(call.head(status).request?.purpose == .locate)
        #expect(call.after(call.head(status)).failure == .refused(status: status))
    }

    @Test func `a complete upload whose answer is lost says so`() {
        var call = UploadCall.offered()
        call.machine.sent(byteCount: 1000)
        _ = call.cut()
        let (steps, end) = call.perform(call.head(204, [.uploadOffset: "1000", .uploadComplete: "?1"]))
        #expect(steps == [.discard, .synchronizeFolder])
        #expect(end == .end(.completedWithoutAnswer(lastStatus: nil)))
    }

    @Test func `the status in place of a lost answer is passed on`() {
        var call = UploadCall.appending()
        _ = call.head(502)
        let end = call.after(call.head(204, [.uploadOffset: "1000", .uploadComplete: "?1"]))
        #expect(end == .end(.completedWithoutAnswer(lastStatus: 502)))
    }

    @Test func `an upload with all bytes that is not complete is completed`() {
        var call = UploadCall.continued()
        let step = call.after(call.head(204, [.uploadOffset: "1000", .uploadComplete: "?0"]))
        #expect(step.request?.body == 1000..<1000 && step.request?.fields[.uploadComplete] == "?1")
        #expect(call.after(call.head(410, [:], .completed)) == .end(.completedWithoutAnswer(lastStatus: 410)))
    }

    @Test func `an answer without Upload-Complete is followed by the offset, but not without end`() {
        var call = UploadCall.appending()
        for _ in 0..<2 {
            #expect(call.head(200).request?.purpose == .locate)
            #expect(call.after(call.head(204, [.uploadOffset: "1000"])).request?.body == 1000..<1000)
        }
        #expect(call.after(call.head(200)).failure == .conflict)
    }

    // MARK: Parts

    @Test func `a file is sent in parts`() {
        var call = UploadCall(UploadSamples.configuration(part: 400))
        _ = call.start()
        let (steps, first) = call.perform(call.head(201, [.location: "/uploads/abc", .uploadComplete: "?0"]))
        #expect(steps.map(\.name) == ["write 400", "synchronizeFolder"])
        #expect(first.request?.body == 400..<800 && first.request?.fields[.uploadComplete] == "?0")
        let (next, last) = call.perform(call.head(204, [.uploadComplete: "?0"]))
        #expect(next.map(\.name) == ["write 800!", "synchronizeFolder"])
        #expect(last.request?.body == 800..<1000 && last.request?.fields[.uploadComplete] == "?1")
        #expect(call.after(call.head(200, [.uploadComplete: "?1"])) == .end(.answered(.resumable)))
    }

    @Test func `a server that takes a part for the whole file is not used`() {
        var call = UploadCall(UploadSamples.configuration(part: 400))
        _ = call.start()
        #expect(call.plainHead(200) == .end(.failed(.unsupported)))
    }

    @Test func `another URL in the answer cancels the upload`() {
        var call = UploadCall.offered(UploadSamples.configuration(part: 400))
        let step = call.head(201, [.location: "/other"])
        #expect(step.request?.purpose == .cancel && step.request?.method == .delete)
        let (steps, end) = call.perform(call.head(204))
        #expect(steps == [.discard, .synchronizeFolder])
        #expect(end.failure == .violation(.location(.changed)))
        var interim = UploadCall.offered()
        #expect(interim.informed([.location: "/other"]).abortion?.request?.purpose == .cancel)
    }
}
