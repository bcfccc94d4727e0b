// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernTransfers
import Testing

@Suite("UploadStateMachine: interruptions, refusals and violations")
struct UploadInterruptionTests {
    private static let protocols: [UploadProtocol] = [.draft(.six), .draft(.eight), .tus]
    private static let refused = ClientError.connectionFailed(
        .refused,
        ClientError.Context(phase: .connect, delivery: .notSent)
    )

    // MARK: The request that creates the upload

    @Test func `without a URL, the request is repeated only if the caller allows it`() {
        var once = UploadCall()
        _ = once.start()
        once.machine.sent(byteCount: 10)
        #expect(once.cut() == .end(.failed(.interrupted)))
        var twice = UploadCall(UploadSamples.configuration(isRepeatable: true))
        let first = twice.start()
        #expect(twice.cut().request == first.request)
        #expect(twice.cut().delay == .seconds(2))
        #expect(twice.cut() == .end(.failed(.interrupted)))
    }

    @Test func `a request that was not delivered is repeated in any case`() {
        var call = UploadCall()
        let first = call.start()
        #expect(call.cut(Self.refused) == .send(Samples.required(first.request), after: .seconds(1)))
    }

    @Test func `without a URL, a failure is the answer, or is repeated if the caller allows it`() {
        var once = UploadCall()
        _ = once.start()
        #expect(once.plainHead(503) == .end(.answered(.plain)))
        var twice = UploadCall(UploadSamples.configuration(isRepeatable: true))
        _ = twice.start()
        #expect(twice.plainHead(503).request?.purpose == .create)
        #expect(twice.plainHead(503).request?.purpose == .create)
        #expect(twice.plainHead(503) == .end(.answered(.plain)))
    }

    /// The upload that the server may have created completes nothing, and expires.
    @Test func `tus creates an upload again, if the request had not all bytes`() {
        var call = UploadCall(UploadSamples.configuration(.tus))
        let first = call.start()
        #expect(call.cut().request == first.request)
        #expect(call.plainHead(500).request == first.request)
        #expect(call.plainHead(500).failure == .refused(status: 500))
        var whole = UploadCall(UploadSamples.configuration(.tus, tus: TusOptions(createsWithContent: true)))
        _ = whole.start()
        #expect(whole.cut() == .end(.failed(.interrupted)))
    }

    /// For the server, the request with credentials is another one, and creates another upload.
    @Test func `a request that is sent again after a challenge gets another upload`() {
        var call = UploadCall.offered()
        call.machine.sent(byteCount: 300)
        _ = call.informed([.uploadOffset: "200"])
        call.machine.resent()
        #expect(call.machine.progress.sentByteCount == 300 && call.machine.progress.acknowledgedByteCount == 0)
        call.machine.sent(byteCount: 100)
        let steps = call.informed([.location: "/uploads/2"]).steps
        #expect(steps?.map(\.name) == ["write 0!"])
        let target = UploadRequest.Target.upload(UploadSamples.url("https://example.com/uploads/2"))
        #expect(call.cut().request?.target == target)
        // Without another 104, nothing says where the upload is.
        var lost = UploadCall.offered()
        lost.machine.resent()
        #expect(lost.cut() == .end(.failed(.interrupted)))
        // A request for an upload is about the same one.
        var append = UploadCall.appending()
        append.machine.sent(byteCount: 600)
        append.machine.resent()
        append.machine.sent(byteCount: 1)
        _ = append.cut()
        #expect(append.after(append.head(404)).failure == .completionUnknown)
    }

    // MARK: Attempts

    @Test(arguments: protocols)
    func `attempts without progress come to an end`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall.appending(UploadSamples.configuration(uploadProtocol))
        #expect(call.cut().delay == .seconds(1))
        #expect(call.after(call.head(200, [.uploadOffset: "400"])).request?.body == 400..<1000)
        #expect(call.cut().delay == .seconds(2))
        #expect(call.after(call.cut()) == .end(.failed(.interrupted)))
    }

    @Test(arguments: protocols)
    func `a megabyte of progress makes the count of attempts start again`(_ uploadProtocol: UploadProtocol) {
        let policy = ResumptionPolicy(maximumAttemptCount: 2)
        let file = UploadSamples.identity(1 << 40)
        var call = UploadCall.continued(UploadSamples.configuration(uploadProtocol, file: file, policy: policy))
        for round in 1..<10 {
            let offset = Int64(400 + round << 20)
            #expect(call.after(call.head(200, [.uploadOffset: "\(offset)"])).request?.body?.lowerBound == offset)
            #expect(call.cut().request?.purpose == .locate)
        }
    }

    @Test(arguments: [Samples.cancelled, .timedOut(.call, limit: .seconds(1), .init(phase: .body))])
    func `an error that is final ends the call, and the record has the last offset`(_ error: ClientError) {
        var call = UploadCall.offered()
        call.machine.sent(byteCount: 900)
        _ = call.informed([.uploadOffset: "500"])
        let (steps, end) = call.perform(call.cut(error))
        // Not all bytes were sent, so the server cannot have completed the upload.
        #expect(steps.map(\.name) == ["write 500"])
        #expect(end.failure == .interrupted)
    }

    @Test func `a cancelled call keeps the upload`() {
        var call = UploadCall.offered()
        call.machine.sent(byteCount: 1000)
        let (steps, end) = call.perform(call.machine.cancelled())
        #expect(steps.map(\.name) == [])
        #expect(end.failure == .interrupted)
        #expect(call.machine.cancelled() == end)
        var early = UploadCall()
        #expect(early.machine.cancelled() == .end(.failed(.interrupted)))
    }

    @Test func `a server that asks for a long pause ends the call`() {
        var call = UploadCall.appending()
        #expect(call.after(call.head(503, [.retryAfter: "61"])).failure == .refused(status: 503))
    }

    @Test(arguments: protocols)
    func `a refusal keeps the record`(_ uploadProtocol: UploadProtocol) {
        for status in [401, 403, 405, 415, 501] {
            var call = UploadCall.continued(UploadSamples.configuration(uploadProtocol))
            #expect(call.head(status) == .end(.failed(.refused(status: status))))
            var second = UploadCall.appending(UploadSamples.configuration(uploadProtocol))
            #expect(second.after(second.head(status)).failure == .refused(status: status))
        }
    }

    @Test func `a record that cannot be written ends the call`() {
        var call = UploadCall.continued()
        #expect(call.head(204, [.uploadOffset: "700"]) != .end(.failed(.fileFailed)))
        #expect(call.machine.fileFailed() == .end(.failed(.fileFailed)))
        #expect(call.machine.fileFailed() == .end(.failed(.fileFailed)))
    }

    // MARK: Uploads that are gone

    @Test(arguments: protocols, [404, 410])
    func `an upload that is gone begins again, once`(_ uploadProtocol: UploadProtocol, _ status: Int) {
        var call = UploadCall.appending(UploadSamples.configuration(uploadProtocol))
        call.machine.sent(byteCount: 599)
        let (steps, step) = call.perform(call.head(status))
        #expect(steps == [.discard, .synchronizeFolder])
        #expect(step.request?.purpose == .create && call.machine.restart == .gone)
        #expect(call.machine.progress.sentByteCount == 0 && call.machine.progress.acknowledgedByteCount == 0)
        if uploadProtocol == .tus {
            _ = call.after(call.head(201, [.location: "/uploads/2"]))
        } else {
            _ = call.informed([.location: "/uploads/2"])
        }
        call.machine.sent(byteCount: 1)
        _ = call.cut()
        let (next, end) = call.perform(call.head(status))
        #expect(next == [.discard, .synchronizeFolder] && end.failure == .lostTwice)
    }

    @Test(arguments: protocols)
    func `an upload that may be complete does not begin again`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall.appending(UploadSamples.configuration(uploadProtocol))
        call.machine.sent(byteCount: 600)
        _ = call.cut()
        let (steps, end) = call.perform(call.head(404))
        #expect(steps == [.discard, .synchronizeFolder] && end.failure == .completionUnknown)
        // The same after a crash, by the record.
        let record = UploadSamples.record(uploadProtocol, mayBeComplete: true)
        var later = UploadCall.continued(UploadSamples.configuration(uploadProtocol), record)
        #expect(later.after(later.head(404)).failure == .completionUnknown)
        let repeatable = UploadSamples.configuration(uploadProtocol, isRepeatable: true)
        var again = UploadCall.continued(repeatable, record)
        #expect(again.after(again.head(404)).request?.purpose == .create)
        // An answer that says otherwise counts.
        var open = UploadCall.continued(UploadSamples.configuration(uploadProtocol), record)
        _ = open.after(open.head(200, [.uploadOffset: "500"]))
        #expect(open.after(open.head(404)).request?.purpose == .create)
    }

    // MARK: Conflicts

    @Test(arguments: protocols)
    func `a conflict is followed by the offset, three times`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall.appending(UploadSamples.configuration(uploadProtocol))
        for _ in 0..<3 {
            #expect(call.head(409).delay == .zero)
            #expect(call.after(call.head(200, [.uploadOffset: "500"])).request?.body == 500..<1000)
        }
        #expect(call.after(call.head(409)).failure == .conflict)
    }

    @Test func `a complete upload that refuses more bytes is found to be complete`() {
        var call = UploadCall.appending()
        #expect(call.head(400, [:], .inconsistentLength).request?.purpose == .locate)
        let end = call.after(call.head(204, [.uploadOffset: "1000", .uploadComplete: "?1"]))
        #expect(end == .end(.completedWithoutAnswer(lastStatus: 400)))
    }

    // MARK: Violations

    @Test(arguments: protocols)
    func `an offset that decreases is a violation, and cancels the upload`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall.continued(UploadSamples.configuration(uploadProtocol))
        #expect(call.head(200, [.uploadOffset: "399"]).request?.purpose == .cancel)
        let (steps, end) = call.perform(call.cut())
        #expect(steps == [.discard, .synchronizeFolder])
        #expect(end.failure == .violation(.offsetDecreased(acknowledged: 400, received: 399)))
    }

    @Test(arguments: protocols)
    func `an offset past the end of the file, or of the content, is a violation`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall.continued(UploadSamples.configuration(uploadProtocol))
        _ = call.head(200, [.uploadOffset: "1001"])
        #expect(call.after(call.head(503)).failure == .violation(.offsetPastEnd(end: 1000, received: 1001)))
        var part = UploadCall.appending(UploadSamples.configuration(uploadProtocol, part: 100))
        _ = part.head(201, [.uploadOffset: "501"])
        #expect(part.after(part.head(204)).failure == .violation(.offsetPastEnd(end: 500, received: 501)))
    }

    @Test func `a 104 with an impossible offset cancels the upload`() {
        var call = UploadCall.offered()
        _ = call.informed([.uploadOffset: "500"])
        #expect(call.informed([.uploadOffset: "499"]).abortion?.request?.purpose == .cancel)
        let violation = UploadViolation.offsetDecreased(acknowledged: 500, received: 499)
        #expect(call.after(call.head(204)).failure == .violation(violation))
    }

    @Test func `a violation that may pass keeps the record`() {
        var call = UploadCall.continued()
        #expect(call.head(204) == .end(.failed(.violation(.offsetMissing))))
    }

    // MARK: Redirects

    @Test func `a permanent redirect changes the record, a temporary one does not`() {
        var call = UploadCall.continued()
        let temporary = call.head(307, [.location: "https://storage.example.net/u/1?sig=x"])
        #expect(temporary.request?.target == .upload(UploadSamples.elsewhere))
        #expect(temporary.request?.isCrossOrigin == true && temporary.request?.purpose == .locate)
        let append = call.after(call.head(204, [.uploadOffset: "500"])).request
        #expect(append?.target == .upload(UploadSamples.location) && append?.isCrossOrigin == false)
        let (steps, moved) = call.perform(call.head(308, [.location: "https://storage.example.net/u/1?sig=x"]))
        #expect(steps.map(\.name) == ["write 500!"] && moved.request?.body == 500..<1000)
        #expect(moved.request?.target == .upload(UploadSamples.elsewhere))
        #expect(call.cut().request?.target == .upload(UploadSamples.elsewhere))
    }

    @Test func `an insecure redirect and too many redirects end the call`() {
        var call = UploadCall.continued()
        _ = call.head(308, [.location: "http://other.example/u"])
        #expect(call.after(call.head(204)).failure == .violation(.location(.insecure)))
        var loop = UploadCall.continued()
        for _ in 0..<20 { #expect(loop.head(307, [.location: "/uploads/abc"]).request?.purpose == .locate) }
        #expect(loop.head(307, [.location: "/uploads/abc"]).failure == .violation(.tooManyRedirects))
    }
}
