// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("DownloadStateMachine: the first request")
struct DownloadStartTests {
    private static let other = TransferResource(origin: "https://mirror.example.com:443", path: "/model.bin")

    /// The files on the disk, and the first request with the reason for a fresh beginning.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stored: StoredRecord
        let byteCount: Int64?
        let range: String?
        let condition: String?
        let reason: RestartReason?
        let source: TransferResource

        init(
            _ name: String,
            _ stored: StoredRecord,
            _ byteCount: Int64?,
            _ range: String? = nil,
            by condition: String? = nil,
            _ reason: RestartReason? = nil,
            source: TransferResource = Samples.source
        ) {
            (self.testDescription, self.stored, self.byteCount) = (name, stored, byteCount)
            (self.range, self.condition, self.reason, self.source) = (range, condition, reason, source)
        }
    }

    private static let record = StoredRecord.usable(Samples.record())
    private static let dated = StoredRecord.usable(Samples.record(of: 1000, Samples.dated))
    private static let tag = "\"v1\""

    private static func record(_ ranges: [Range<Int64>], of length: Int64? = 1000) -> StoredRecord {
        .usable(Samples.record(Samples.required(ByteRangeSet(normalized: ranges)), of: length))
    }

    static let rows = [
        Row("nothing", .absent, nil),
        Row("an empty file", .absent, 0),
        Row("a file alone", .absent, 1, nil, .recordMissing),
        Row("damage", .unusable(.damaged), 400, nil, .recordUnusable(.damaged)),
        Row("a newer record", .unusable(.newerVersion(2)), 400, nil, .recordUnusable(.newerVersion(2))),
        Row("a record alone", record, nil, nil, .fileMissing),
        Row("a short file", record, 399, nil, .fileTooShort(recorded: 400, found: 399)),
        Row("400 bytes", record, 400, "bytes=400-", by: tag),
        Row("a longer file", record, 999, "bytes=400-", by: tag),
        Row("no length", record([0..<400], of: nil), 400, "bytes=400-", by: tag),
        Row("by date", dated, 400, "bytes=400-", by: Samples.modified),
        Row("another URL, by tag", record, 400, "bytes=400-", by: tag, source: other),
        Row("another URL, by date", dated, 400, nil, .otherURL, source: other),
        Row("no safe bytes", record([]), 50),
        Row("a gap", record([0..<400, 500..<900]), 1000, "bytes=400-499", by: tag),
        Row("a late part", record([500..<1000]), 1000, "bytes=0-499", by: tag),
        Row("a gap, no length", record([0..<4, 6..<9], of: nil), 9, "bytes=4-5", by: tag),
    ]

    @Test(arguments: rows)
    func `the files decide about the first request`(_ row: Row) throws {
        var call = Call(row.stored, FoundFiles(partialByteCount: row.byteCount), source: row.source)
        let step = call.start()
        let request = try #require(step.request)
        #expect(step == .send(request, after: .zero))
        #expect(request.fields[.range] == row.range)
        #expect(request.fields[.ifRange] == row.condition)
        #expect(request.fields[.acceptEncoding] == "identity")
        #expect(request.fields.count == (row.range == nil ? 1 : 3))
        let body = call.after(call.head(200, Samples.whole(1000, [.eTag: "\"v2\""])))
        let isPart = row.range != nil
        #expect(body.reception?.restart == (isPart ? .resourceChanged(.entityTag) : row.reason))
    }

    @Test func `the progress begins with the bytes of the record`() {
        let ranges = Samples.required(ByteRangeSet(normalized: [0..<400, 500..<900]))
        let call = Call.continued(Samples.record(ranges), fileByteCount: 900)
        #expect(call.machine.progress == DownloadProgress(completedByteCount: 800, totalByteCount: 1000))
        #expect(call.machine.mediaType == "application/octet-stream")
    }

    // MARK: Nothing to fetch

    @Test func `a whole file on the disk needs no request`() {
        let record = Samples.record(ByteRangeSet(0..<1000))
        var call = Call(.usable(record), FoundFiles(partialByteCount: 1000, partialNumber: 7))
        let (steps, end) = call.perform(call.start())
        #expect(steps == [.moveIntoPlace, .synchronizeFolder, .discardRecord])
        #expect(end == .end(.complete(byteCount: 1000)))
    }

    @Test func `a whole file with a tail loses the tail, and its digest is checked`() {
        let record = Samples.record(ByteRangeSet(0..<1000), digest: Samples.digest)
        var call = Call(.usable(record), FoundFiles(partialByteCount: 1001, partialNumber: 7))
        #expect(
            call.perform(call.start()).0 == [
                .truncate(byteCount: 1000), .synchronize, .checkDigest(Samples.digest), .moveIntoPlace,
                .synchronizeFolder, .discardRecord,
            ]
        )
    }

    /// The process ended between the renaming and the deletion of the record.
    @Test func `a file that is in its place already only loses its record`() {
        let record = Samples.record(ByteRangeSet(0..<1000), digest: Samples.digest)
        var call = Call(.usable(record), FoundFiles(destination: .init(byteCount: 1000, number: 7)))
        let (steps, end) = call.perform(call.start())
        #expect(steps == [.synchronizeFolder, .discardRecord])
        #expect(end == .end(.complete(byteCount: 1000)))
    }

    @Test(
        arguments: [
            (FoundFiles(destination: .init(byteCount: 1000, number: 8)), 7, nil),
            (FoundFiles(destination: .init(byteCount: 999, number: 7)), 7, nil),
            (FoundFiles(destination: .init(byteCount: 1000, number: 7)), nil, nil),
            (FoundFiles(destination: .init(byteCount: 1000, number: 7)), 7, Samples.digest),
            (FoundFiles(), 7, nil),
        ] as [(FoundFiles, UInt64?, TransferDigest?)]
    )
    func `another file at the destination is not taken for the download`(
        _ found: FoundFiles,
        _ number: UInt64?,
        _ digest: TransferDigest?
    ) {
        let record = Samples.record(ByteRangeSet(0..<1000), number: number)
        var call = Call(.usable(record), found, expecting: digest)
        #expect(call.start() == .send(.whole, after: .zero))
        #expect(call.after(call.head(200, Samples.whole(1000))).reception?.restart == .fileMissing)
    }

    // MARK: Requests that do not fit

    @Test(
        arguments: [
            (Request(.get, "https://example.com/a"), nil),
            (Request(.head, "https://example.com/a"), .method),
            (Request(.post, "https://example.com/a"), .method),
            (Request(.get, "https://example.com/a").header(.range, "bytes=0-"), .range),
            (Request(.get, "https://example.com/a").header(.ifRange, "\"a\""), .range),
            (Request(.get, "https://example.com/a").header(.acceptEncoding, "gzip"), nil),
            (Request(.get, "https://example.com/a").body(jsonText: "{}"), .body),
        ] as [(Request, UnsuitableRequest?)]
    )
    func `a request that sets ranges itself, or is not a plain GET, is unsuitable`(
        _ request: Request,
        _ reason: UnsuitableRequest?
    ) {
        #expect(UnsuitableRequest(request) == reason)
    }
}
