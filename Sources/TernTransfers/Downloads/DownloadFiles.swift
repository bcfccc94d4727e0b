// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

/// The partial file and its record, which never claims a byte that was not synchronized, or a byte of another version of the
/// resource.
struct DownloadFiles: Sendable {
    var fileNumber: UInt64?
    /// See ``DownloadStateMachine/confirms``.
    var confirms = false

    private(set) var representation: Representation?

    private let fileName: String
    private let source: TransferResource
    private let expectedDigest: TransferDigest?
    private let found: FoundFiles
    private var stored: StoredRecord
    private var creationDate: HTTPDate?
    private var bytes = DownloadedBytes()
    private var fileByteCount: Int64
    /// Whether this call has begun to write the file.
    private var hasBegun = false

    init(
        fileName: String,
        source: TransferResource,
        stored: StoredRecord,
        found: FoundFiles,
        expecting digest: TransferDigest?
    ) {
        if case .usable(let record) = stored { self.fileName = record.fileName } else { self.fileName = fileName }
        self.source = source
        self.expectedDigest = digest
        self.stored = stored
        self.found = found
        self.fileNumber = found.partialNumber
        self.fileByteCount = found.partialByteCount ?? 0
    }

    var written: ByteRangeSet { self.bytes.written }

    var isWhole: Bool {
        self.representation?.completeLength.map { self.bytes.written.contains(0..<$0) } ?? false
    }

    var canContinue: Bool { self.representation?.validator != nil }

    private var hasRecord: Bool { self.stored != .absent }

    private var digest: TransferDigest? { self.expectedDigest ?? self.representation?.digest }

    /// Returns the record for bytes that are safe; `nil` if the download cannot be continued.
    private func record(of ranges: ByteRangeSet) -> DownloadRecord? {
        guard let representation = self.representation, let validator = representation.validator else { return nil }
        return DownloadRecord(
            fileName: self.fileName,
            source: self.source,
            creationDate: self.creationDate ?? HTTPDate(secondsSince1970: 0),
            validator: validator,
            completeLength: representation.completeLength,
            mediaType: representation.mediaType,
            digest: self.digest,
            fileNumber: self.fileNumber,
            ranges: ranges
        )
    }

    // MARK: Finding

    /// Counts the bytes that the record claims, if the files can be used; `isInPlace` tells that an earlier call moved the file
    /// and ended before it deleted the record.
    mutating func adopt() throws(RestartReason) -> (record: DownloadRecord, isInPlace: Bool)? {
        switch self.stored {
        case .usable(let record):
            let isInPlace = self.found.hasInPlace(record, expecting: self.expectedDigest)
            if !isInPlace { try self.found.check(record, of: self.source) }
            self.representation = Representation(record)
            self.creationDate = record.creationDate
            self.bytes = DownloadedBytes(safe: record.ranges)
            return (record, isInPlace)
        case .unusable(let problem): throw .recordUnusable(problem)
        case .absent:
            if self.fileByteCount > 0 { throw .recordMissing }
            return nil
        }
    }

    // MARK: Learning

    /// Keeps the length and the digest of the whole representation, if they were not known.
    mutating func learn(completeLength: Int64?, _ digest: TransferDigest? = nil) {
        if self.representation?.completeLength == nil { self.representation?.completeLength = completeLength }
        if self.representation?.digest == nil { self.representation?.digest = digest }
    }

    mutating func learn(from trailers: HTTPFields?, of reception: Reception, until end: Int64) {
        guard let trailers, let representation = self.representation, representation.digest == nil,
            reception.absence != .contentCoded
        else { return }
        let isWhole = reception.offset == 0 && end == representation.completeLength
        self.representation?.digest = TransferDigest(trailers, isWhole: isWhole)
    }

    // MARK: Bytes

    /// Records that a piece was queued to be written; returns the number of bytes that are in the file.
    mutating func wrote(_ range: Range<Int64>) -> Int64 {
        self.fileByteCount = max(self.fileByteCount, range.upperBound)
        self.bytes.wrote(range)
        return self.bytes.written.byteCount
    }

    mutating func forgetUnsafe() { self.bytes.forgetUnsafe() }

    mutating func beginSynchronization(after interval: Int64, isDue: Bool) -> Bool {
        // Without a validator, there is no record, and no byte need be safe before the end.
        self.canContinue && self.bytes.beginSynchronization(after: interval, isDue: isDue)
    }

    /// Records that the synchronization in progress has succeeded, and that its actions will be performed.
    mutating func synced() -> [FileStep] {
        guard let safe = self.bytes.endSynchronization(), let record = self.record(of: safe) else { return [] }
        // The name of a new file is on the disk only after the folder was synchronized.
        let steps: [FileStep] = self.hasRecord ? [.writeRecord(record)] : [.writeRecord(record), .synchronizeFolder]
        self.stored = .usable(record)
        return steps
    }

    mutating func abandonSynchronization() { self.bytes.abandonSynchronization() }

    // MARK: Actions

    mutating func performed(_ step: FileStep) {
        switch step {
        case .writeRecord(let record): self.stored = .usable(record)
        case .discardRecord: self.stored = .absent
        case .truncate(let byteCount): self.fileByteCount = byteCount
        case .reserve(let byteCount): self.fileByteCount = max(self.fileByteCount, byteCount)
        case .synchronize: self.bytes.synchronizedAll()
        case .synchronizeFolder, .checkDigest, .moveIntoPlace, .deletePartialFile, .confirm: break
        }
    }

    /// Returns the actions before the first byte of a new representation: the old record must be off the disk before, or it would
    /// claim bytes of another version after a crash.
    mutating func begin(_ new: Representation, now: HTTPDate) -> [FileStep] {
        self.representation = new
        self.creationDate = now
        self.bytes = DownloadedBytes()
        self.hasBegun = true
        var steps: [FileStep] = []
        if self.hasRecord {
            steps = [self.record(of: ByteRangeSet()).map { .writeRecord($0) } ?? .discardRecord, .synchronizeFolder]
        }
        if self.fileByteCount > 0 { steps.append(.truncate(byteCount: 0)) }
        return steps
    }

    mutating func beginPart() -> [FileStep] {
        self.hasBegun = true
        // The file may have bytes after those of the record. They were never safe, so drop them.
        let end = self.bytes.written.end
        return self.fileByteCount > end ? [.truncate(byteCount: end)] : []
    }

    /// Moves the complete file into its place: synchronize the data, check the digest, rename, synchronize the folder, delete the
    /// record, so that the next call can perform the rest after a crash.
    mutating func finish(at length: Int64) -> [FileStep] {
        self.bytes.abandonSynchronization()
        var steps: [FileStep] = []
        if self.fileByteCount > length { steps.append(.truncate(byteCount: length)) }
        if !self.bytes.areSafe || !self.hasRecord || !steps.isEmpty { steps.append(.synchronize) }
        // A short download has no record, and needs none in the moments until the file is in its place, unless the
        // owner of the call must not download the file twice.
        var hasRecord = self.hasRecord
        if hasRecord || self.confirms, let record = self.record(of: self.written), .usable(record) != self.stored {
            steps.append(.writeRecord(record))
            hasRecord = true
        }
        if let digest = self.digest { steps.append(.checkDigest(digest)) }
        return steps + [.moveIntoPlace] + self.afterMove(hasRecord: hasRecord)
    }

    func afterMove(hasRecord: Bool) -> [FileStep] {
        [.synchronizeFolder] + (self.confirms ? [.confirm] : []) + (hasRecord ? [.discardRecord] : [])
    }

    /// Returns the actions that make the bytes so far safe for a later call, or delete them if no later call could continue.
    mutating func stop() -> [FileStep] {
        self.bytes.abandonSynchronization()
        guard self.hasBegun else { return [] }
        guard self.canContinue, self.hasRecord || !self.written.isEmpty else { return [.deletePartialFile] }
        guard !self.bytes.areSafe, let record = self.record(of: self.written) else { return [] }
        return [.synchronize, .writeRecord(record), .synchronizeFolder]
    }

    mutating func remove() -> [FileStep] {
        self.bytes.abandonSynchronization()
        return self.hasRecord ? [.discardRecord, .deletePartialFile] : [.deletePartialFile]
    }
}
