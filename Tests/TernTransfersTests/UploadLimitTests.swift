// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import Testing

@Suite("UploadStateMachine: limits of the server")
struct UploadLimitTests {
    private static let megabyte: Int64 = 1 << 20

    private static func large(
        _ uploadProtocol: UploadProtocol = .draft(.eight),
        part: Int64? = nil
    ) -> UploadConfiguration {
        UploadSamples.configuration(uploadProtocol, file: UploadSamples.identity(self.megabyte), part: part)
    }

    // MARK: The file

    @Test(
        arguments: [
            ("max-size=999", .tooLarge(limit: 999)), ("min-size=1001", .tooSmall(limit: 1001)),
            ("max-size=1000, min-size=1000", nil),
        ] as [(String, ResumableUploadFailure?)]
    )
    func `a file that the server does not accept is not sent`(_ limit: String, _ failure: ResumableUploadFailure?) {
        var call = UploadCall()
        _ = call.start()
        let action = call.informed([.location: "/uploads/abc", .uploadLimit: limit])
        guard let failure else { return #expect(action.steps?.isEmpty == false) }
        #expect(action.abortion?.request?.purpose == .cancel)
        #expect(call.after(call.head(204)) == .end(.failed(failure)))
        // The same in the answer to the request for the offset.
        var later = UploadCall.continued()
        #expect(later.head(204, [.uploadOffset: "400", .uploadLimit: limit]).request?.purpose == .cancel)
        #expect(later.after(later.head(204)) == .end(.failed(failure)))
    }

    @Test func `tus refuses a file that is too long`() {
        var call = UploadCall(UploadSamples.configuration(.tus))
        _ = call.start()
        #expect(call.head(413, [.tusMaxSize: "999"]) == .end(.failed(.tooLarge(limit: 999))))
        var unknown = UploadCall(UploadSamples.configuration(.tus))
        _ = unknown.start()
        #expect(unknown.plainHead(413) == .end(.failed(.tooLarge(limit: nil))))
    }

    // MARK: Parts

    @Test func `a 104 with a limit for parts stops the request, and the rest is sent in parts`() {
        var call = UploadCall()
        _ = call.start()
        let action = call.informed([.location: "/uploads/abc", .uploadLimit: "max-append-size=300"])
        #expect(action.abortion?.request?.purpose == .locate)
        let first = call.after(call.head(204, [.uploadOffset: "100"]))
        #expect(first.request?.body == 100..<400 && first.request?.fields[.uploadComplete] == "?0")
        #expect(call.after(call.head(204)).request?.body == 400..<700)
        #expect(call.after(call.head(204)).request?.fields[.uploadComplete] == "?1")
    }

    @Test(
        arguments: [
            ("min-append-size=500", 300, 400..<900), ("min-append-size=700", 300, 400..<1000),
            ("min-append-size=500, max-append-size=500", 300, 400..<900), ("max-append-size=200", nil, 400..<600),
            ("max-append-size=200", 500, 400..<600), ("max-append-size=600, min-append-size=601", nil, 400..<1000),
            ("min-append-size=100", 300, 400..<700),
        ] as [(String, Int64?, Range<Int64>)]
    )
    func `parts keep the limits, and the last may be short`(_ limit: String, _ part: Int64?, _ body: Range<Int64>) {
        var call = UploadCall.continued(UploadSamples.configuration(part: part))
        let step = call.after(call.head(204, [.uploadOffset: "400", .uploadLimit: limit]))
        #expect(step.request?.body == body)
    }

    @Test(arguments: ["max-append-size=0", "max-append-size=100, min-append-size=101"])
    func `limits that no part can keep cancel the upload`(_ limit: String) {
        var call = UploadCall.continued()
        #expect(call.head(204, [.uploadOffset: "400", .uploadLimit: limit]).request?.purpose == .cancel)
        #expect(call.after(call.head(204)).failure == .violation(.limits))
    }

    @Test func `the limits are in the record`() {
        let record = UploadSamples.record(limits: UploadLimits(maximumPartByteCount: 100))
        var call = UploadCall.continued(UploadSamples.configuration(), record)
        #expect(call.after(call.head(204, [.uploadOffset: "400"])).request?.body == 400..<500)
        #expect(call.perform(call.head(204, [.uploadLimit: "max-append-size=200"])).0.map(\.name) == ["write 500"])
    }

    // MARK: Short parts

    /// Sends parts of the length that the server allows; returns their number and the step after the last.
    private static func sending(
        _ byteCount: Int64,
        limit: Int64,
        part: Int64? = nil
    ) -> (partCount: Int, call: UploadCall, step: UploadStep) {
        let file = UploadSamples.identity(byteCount)
        let limits = UploadLimits(maximumPartByteCount: limit)
        let configuration = UploadSamples.configuration(file: file, part: part)
        let record = UploadSamples.record(file: file, limits: limits, acknowledged: 0)
        var call = UploadCall.continued(configuration, record)
        var step = call.after(call.head(204, [.uploadOffset: "0"]))
        var partCount = 0
        while let request = step.request, request.purpose == .append {
            partCount += 1
            guard request.body?.upperBound != byteCount else { break }
            step = call.after(call.head(204))
        }
        return (partCount, call, step)
    }

    @Test(arguments: [1, 65_535] as [Int64])
    func `a server that allows only short parts gets a limited number of them`(limit: Int64) {
        let maximum = UploadStateMachine.maximumShortPartCount
        let most = Self.sending(limit * Int64(maximum) + 1, limit: limit)
        #expect(most.partCount == maximum + 1 && most.step.request?.purpose == .append)
        var (partCount, call, step) = Self.sending(limit * Int64(maximum) + limit + 1, limit: limit)
        #expect(partCount == maximum && step.request?.purpose == .cancel)
        step = call.after(call.head(204))
        #expect(step.failure == .violation(.partsTooShort(limit: limit)))
    }

    @Test func `parts of 64 KiB and parts that the caller has chosen do not count`() {
        let limit = UploadStateMachine.shortPartByteCount
        #expect(Self.sending(limit * 1100, limit: limit).partCount == 1100)
        #expect(Self.sending(1100, limit: 1, part: 1).partCount == 1100)
    }

    // MARK: 413

    @Test func `a part that is too long is halved, down to 256 KiB`() {
        var call = UploadCall.continued(Self.large())
        #expect(call.after(call.head(204, [.uploadOffset: "400"])).request?.body == 400..<Self.megabyte)
        let sizes = [(Self.megabyte - 400) / 2, 262_144]
        for size in sizes {
            #expect(call.head(413).request?.purpose == .locate)
            #expect(call.after(call.head(204, [.uploadOffset: "400"])).request?.body == 400..<(400 + size))
        }
        #expect(call.head(413).request?.purpose == .cancel)
        #expect(call.after(call.head(204)).failure == .tooLarge(limit: nil))
    }

    @Test func `a limit in a 413 is used`() {
        var call = UploadCall.appending()
        #expect(call.head(413, [.uploadLimit: "max-append-size=50"]).request?.purpose == .locate)
        #expect(call.after(call.head(204, [.uploadOffset: "400"])).request?.body == 400..<450)
    }

    @Test func `a server that lowers its limit again and again ends the call`() {
        var call = UploadCall.continued()
        var stepCount = 0
        while stepCount < 1000 {
            stepCount += 1
            let step = call.after(call.head(204, [.uploadOffset: "400"]))
            guard step.request?.purpose == .append else { break }
            _ = call.head(413, [.uploadLimit: "max-append-size=\(900 - stepCount)"])
        }
        #expect(stepCount < 60)
        var sending = UploadCall()
        _ = sending.start()
        var action = sending.informed([.location: "/uploads/abc", .uploadLimit: "max-append-size=900"])
        for limit in 1..<100 where action.abortion?.request?.purpose == .locate {
            _ = sending.after(sending.head(204, [.uploadOffset: "0"]))
            action = sending.informed([.uploadLimit: "max-append-size=\(900 - limit)"])
        }
        #expect(action.abortion?.request?.purpose == .cancel)
        #expect(sending.after(sending.head(204)).failure == .violation(.limits))
    }

    @Test func `the request that creates an upload is repeated with a part, if the server has shown its support`() {
        var call = UploadCall()
        _ = call.start()
        let step = call.head(413, [.uploadLimit: "max-append-size=300"])
        #expect(step.request?.purpose == .create && step.request?.body == 0..<300)
        #expect(step.request?.fields[.uploadComplete] == "?0")
        var plain = UploadCall()
        _ = plain.start()
        #expect(plain.plainHead(413) == .end(.answered(.plain)))
    }

    @Test func `tus creates an upload without the content that was too long`() {
        var call = UploadCall(UploadSamples.configuration(.tus, tus: TusOptions(createsWithContent: true)))
        _ = call.start()
        #expect(call.head(413).request?.body == 0..<0)
    }

    // MARK: Lifetime

    @Test func `a lifetime that moves is written when it has moved by a minute`() {
        var call = UploadCall(UploadSamples.configuration(part: 100))
        _ = call.start()
        _ = call.after(call.head(201, [.location: "/uploads/abc", .uploadLimit: "max-age=3600"]))
        #expect(call.perform(call.head(204, [.uploadLimit: "max-age=3659"])).0.map(\.name) == [])
        #expect(call.perform(call.head(204, [.uploadLimit: "max-age=3660"])).0.map(\.name) == ["write 300"])
    }
}
