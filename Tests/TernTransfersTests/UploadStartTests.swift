// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("UploadStateMachine: the first request")
struct UploadStartTests {
    private static let past = HTTPDate(secondsSince1970: Samples.now.secondsSince1970)
    private static let future = HTTPDate(secondsSince1970: Samples.now.secondsSince1970 + 1)

    private static func creation(_ fields: HTTPFields, _ body: Range<Int64>) -> UploadRequest {
        UploadRequest(.create, .post, fields: fields, body: body)
    }

    // MARK: Without a record

    @Test func `the draft begins with the whole file`() {
        var call = UploadCall()
        let fields = UploadSamples.draft.creationFields(0..<1000, UploadSamples.configuration())
        #expect(call.start() == .send(Self.creation(fields, 0..<1000), after: .zero))
        #expect(
            call.machine.progress == UploadProgress(sentByteCount: 0, acknowledgedByteCount: 0, totalByteCount: 1000)
        )
        #expect(call.machine.restart == nil)
    }

    @Test func `the draft keeps the method of the caller`() {
        let configuration = UploadConfiguration(
            .draft(.six),
            to: UploadSamples.destination(),
            method: .put,
            file: UploadSamples.file
        )
        var call = UploadCall(configuration)
        let request = call.start().request
        #expect(request?.method == .put && request?.fields[.uploadDraftInteropVersion] == "6")
    }

    @Test func `the draft begins with a part if the caller says so`() {
        var call = UploadCall(UploadSamples.configuration(part: 300))
        let request = call.start().request
        #expect(request?.body == 0..<300 && request?.fields[.uploadComplete] == "?0")
        var whole = UploadCall(UploadSamples.configuration(part: 1000))
        #expect(whole.start().request?.fields[.uploadComplete] == "?1")
    }

    @Test func `tus creates an upload without content`() {
        var call = UploadCall(UploadSamples.configuration(.tus))
        let fields: HTTPFields = [.tusResumable: "1.0.0", .uploadLength: "1000"]
        #expect(call.start() == .send(Self.creation(fields, 0..<0), after: .zero))
    }

    @Test func `tus creates an upload with content if the caller says so`() {
        let tus = TusOptions(createsWithContent: true)
        var call = UploadCall(UploadSamples.configuration(.tus, part: 300, tus: tus))
        #expect(call.start().request?.body == 0..<300)
    }

    @Test(arguments: [UploadProtocol.draft(.six), .draft(.eight), .tus])
    func `an empty file is sent, too`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall(UploadSamples.configuration(uploadProtocol, file: UploadSamples.identity(0)))
        #expect(call.start().request?.body == 0..<0)
    }

    // MARK: With a record

    @Test(arguments: [UploadProtocol.draft(.six), .draft(.eight), .tus])
    func `a record begins with the offset`(_ uploadProtocol: UploadProtocol) {
        let record = UploadSamples.record(uploadProtocol)
        var call = UploadCall(UploadSamples.configuration(uploadProtocol), .usable(record))
        let request = UploadRequest(
            .locate,
            .head,
            .upload(UploadSamples.location),
            fields: uploadProtocol == .tus ? TusDialect().fields : call.version
        )
        #expect(call.start() == .send(request, after: .zero))
        #expect(call.machine.progress.acknowledgedByteCount == 400)
    }

    @Test func `an upload at another origin is marked`() {
        let record = UploadSamples.record(url: UploadSamples.elsewhere)
        var call = UploadCall(UploadSamples.configuration(), .usable(record))
        #expect(call.start().request?.isCrossOrigin == true)
        #expect(call.after(call.head(204, [.uploadOffset: "400"])).request?.isCrossOrigin == true)
    }

    @Test func `an upload continues with the version of its record`() {
        var call = UploadCall(UploadSamples.configuration(), .usable(UploadSamples.record(.draft(.six))))
        #expect(call.start().request?.fields[.uploadDraftInteropVersion] == "6")
    }

    @Test(
        arguments: [
            (.unusable(.damaged), .recordUnusable(.damaged)), (.usable(UploadSamples.record(.tus)), .otherProtocol),
            (.usable(UploadSamples.record(expires: past)), .expired),
        ] as [(StoredUpload, UploadRestartReason)]
    )
    func `a record that is of no use is deleted, and the upload begins again`(
        _ stored: StoredUpload,
        _ reason: UploadRestartReason
    ) {
        var call = UploadCall(UploadSamples.configuration(), stored)
        let (steps, step) = call.perform(call.start())
        #expect(steps == [.discard, .synchronizeFolder])
        #expect(step.request?.purpose == .create)
        #expect(call.machine.restart == reason)
        #expect(call.machine.progress.acknowledgedByteCount == 0)
    }

    /// As with downloads, the call does what its caller asked for, because the bytes there are of no use here.
    @Test func `a record of another resource begins again`() throws {
        var configuration = UploadSamples.configuration()
        configuration.resource = TransferResource(origin: "https://example.com:443", path: "/other")
        var call = UploadCall(configuration, .usable(UploadSamples.record()))
        #expect(call.perform(call.start()).0 == [.discard, .synchronizeFolder])
        #expect(call.machine.restart == .otherResource)
    }

    @Test func `an upload that has not expired goes on, and so does one that may be complete`() {
        for record in [
            UploadSamples.record(expires: Self.future), UploadSamples.record(expires: Self.past, mayBeComplete: true),
        ] {
            var call = UploadCall(UploadSamples.configuration(), .usable(record))
            #expect(call.start().request?.purpose == .locate)
        }
    }

    // MARK: The file

    private static let changes: [(FileIdentity, FileChange)] = [
        (UploadSamples.identity(1001), .byteCount), (UploadSamples.identity(modified: 1), .modification),
        (UploadSamples.identity(number: 8), .identity),
    ]

    @Test(arguments: changes)
    func `a file that has changed is refused, and the record stays`(_ file: FileIdentity, _ change: FileChange) {
        var call = UploadCall(UploadSamples.configuration(file: file), .usable(UploadSamples.record()))
        #expect(call.start() == .end(.failed(.fileChanged(change))))
    }

    @Test(arguments: changes)
    func `a file that has changed begins again if the caller says so`(_ file: FileIdentity, _ change: FileChange) {
        let configuration = UploadSamples.configuration(file: file, restartsChangedFile: true)
        var call = UploadCall(configuration, .usable(UploadSamples.record()))
        let (steps, step) = call.perform(call.start())
        #expect(steps == [.discard, .synchronizeFolder] && step.request?.body == 0..<file.byteCount)
        #expect(call.machine.restart == .fileChanged(change))
    }

    @Test func `a file with another digest has changed`() {
        let other = TransferDigest(.sha256, [UInt8](repeating: 1, count: 32))
        let configuration = UploadSamples.configuration(digest: other)
        let record = UploadSamples.record(digest: Samples.digest)
        var call = UploadCall(configuration, .usable(record))
        #expect(call.start() == .end(.failed(.fileChanged(.digest))))
        var same = UploadCall(UploadSamples.configuration(digest: Samples.digest), .usable(record))
        #expect(same.start().request?.purpose == .locate)
        var unknown = UploadCall(UploadSamples.configuration(), .usable(record))
        #expect(unknown.start().request?.purpose == .locate)
    }

    @Test func `a file that changes while it is sent ends the call, and the record stays`() {
        var call = UploadCall.appending()
        call.machine.sent(byteCount: 600)
        let (steps, end) = call.perform(call.machine.fileChanged())
        #expect(steps.map(\.name) == [])
        #expect(end.failure == .fileChanged(.whileSending))
    }
}
