// SPDX-License-Identifier: Apache-2.0
import TernRequests

extension DownloadRecord {
    package typealias Problem = RecordProblem

    package static let maximumByteCount = RecordProblem.maximumByteCount

    private static let format = RecordFormat<StoredContent>(magic: "tern-download", version: Self.version)

    /// At most ``maximumByteCount``; equal records have equal bytes.
    package var encoded: [UInt8] { Self.format.encode(self) }

    /// Creates a record from the bytes of a file, of which the first ``maximumByteCount`` + 1 are enough.
    package init(decoding bytes: [UInt8]) throws(Problem) { self = try Self.format.decode(bytes) }
}

private struct StoredContent: RecordContent {
    private var created: Int64
    private var date: Int64?
    private var digest: StoredDigest?
    private var etag: String?
    private var file: String
    private var length: Int64?
    private var media: String?
    private var modified: Int64?
    private var number: UInt64?
    private var origin: String
    private var path: String
    /// The first position of each range, and the position after its last.
    private var ranges: [[Int64]]

    init(_ record: DownloadRecord) {
        self.created = record.creationDate.secondsSince1970
        self.date = record.validator.date?.secondsSince1970
        self.digest = record.digest.map { StoredDigest($0) }
        self.etag = record.validator.entityTag
        self.file = record.fileName
        self.length = record.completeLength
        self.media = record.mediaType
        self.modified = record.validator.lastModified?.secondsSince1970
        self.number = record.fileNumber
        self.origin = record.source.origin
        self.path = record.source.path
        let ranges = record.ranges.keepingLongest(DownloadRecord.maximumRangeCount).ranges
        self.ranges = ranges.map { [$0.lowerBound, $0.upperBound] }
    }

    var record: DownloadRecord? {
        guard self.ranges.count <= DownloadRecord.maximumRangeCount,
            self.ranges.allSatisfy({ $0.count == 2 && $0[0] < $0[1] }),
            let ranges = ByteRangeSet(normalized: self.ranges.map { $0[0]..<$0[1] }),
            let validator = ResourceValidator(
                entityTag: self.etag,
                lastModified: self.modified.map { HTTPDate(secondsSince1970: $0) },
                date: self.date.map { HTTPDate(secondsSince1970: $0) }
            )
        else { return nil }
        return DownloadRecord(
            fileName: self.file,
            source: TransferResource(origin: self.origin, path: self.path),
            creationDate: HTTPDate(secondsSince1970: self.created),
            validator: validator,
            completeLength: self.length,
            mediaType: self.media,
            digest: self.digest?.digest,
            fileNumber: self.number,
            ranges: ranges
        )
    }
}
