// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// One call of a durable download, from the record on the disk to the complete file in its place.
///
/// Each method records an event, and most return the next ``DownloadStep`` of the driver, or the next ``WorkerStep`` of
/// one worker. The driver performs its steps one after the other. One of them lets workers request and receive bytes:
/// one worker, or several at the same time. The machine has no clock, no randomness and no files: the caller passes the
/// time and a generator.
///
/// The machine keeps two promises. A record never claims a byte that was not synchronized, or a byte of another version
/// of the resource. And the bytes of two versions are never in one file, as far as strong validators can tell.
///
/// The driver may stop after any step, for example because its task is cancelled: the record on the disk is true. To
/// keep as many bytes as possible, each worker reports ``cut(by:by:using:)``, and the driver performs the steps that
/// follow.
package struct DownloadStateMachine: Sendable {
    enum State: Sendable {
        /// The call has not begun. Exits: `working`, `settling`.
        case ready
        /// The driver performs these actions on the files, then the next step follows.
        ///
        /// Exits: `working` or `ended`, as `next` says; `settling` with other actions if the digest does not match;
        /// `ended` if an action fails.
        case settling([FileStep], next: Next)
        /// Workers request and receive bytes. Exits, when all have left: `settling`, `working` with others, `ended`.
        case working
        /// The call is over; nothing more happens.
        case ended(DownloadOutcome)
    }

    /// The step after the actions on the files.
    enum Next: Sendable {
        case receive(Reception, of: PartRequest)
        case end(DownloadOutcome)
    }

    /// The number of bytes to write before a synchronization: 64 MiB.
    ///
    /// So a crash costs at most this many bytes and those that arrive during the synchronization. On a slow line, the
    /// driver synchronizes earlier.
    package static let defaultSyncInterval: Int64 = 64 << 20

    // MARK: What the call is about

    /// The name of the partial file, in the folder of its record.
    package let fileName: String
    /// The number of the partial file in its file system; set it when the file is open.
    ///
    /// If the process ends before it deletes the record, a later call recognizes the file at the destination by this
    /// number.
    package var fileNumber: UInt64?
    /// Whether the owner of the call stores that the complete file is in its place, before the record is deleted.
    ///
    /// Then a short download has a record, too, at the end: after a crash, it lets the next call find the file in its
    /// place. Defaults to `false`.
    package var confirms = false

    let source: TransferResource
    let expectedDigest: TransferDigest?
    let syncInterval: Int64
    let pieces: PieceLength
    let found: FoundFiles

    // MARK: What is on the disk

    /// The record on the disk.
    var stored: StoredRecord
    /// The representation that the bytes in the file belong to; `nil` if none of them count.
    var representation: Representation?
    var creationDate: HTTPDate?
    /// The bytes of the representation.
    var bytes = DownloadedBytes()
    /// The length of the partial file.
    var fileByteCount: Int64
    /// Whether this call has begun to write the file.
    var hasBegun = false

    // MARK: What the call has seen

    var state = State.ready
    /// The workers of the state `working`.
    var workers = DownloadWorkers()
    var attempts: DownloadAttempts
    /// The reason that the next response must be the whole representation; `nil` if it may be a part.
    var restartReason: RestartReason?
    /// Whether the call has already requested the whole representation after a response that it could not use.
    var hasRestarted = false
    /// The maximum number of requests at the same time; decreases when the server shows that it does not allow as many.
    var maximumRequestCount: Int
    /// The highest number of bytes that was reported as progress.
    var reportedByteCount: Int64 = 0

    /// The maximum number of responses that the call has received at the same time.
    package internal(set) var concurrentRequestCount = 0

    /// Creates the machine for a call.
    ///
    /// - Parameters:
    ///   - source: The resource, for the record.
    ///   - fileName: The name for the partial file. A usable record's own name takes precedence.
    ///   - stored: The record on the disk.
    ///   - found: The files on the disk.
    ///   - digest: The digest that the caller expects. Defaults to `nil`: the machine takes one from the record or the
    ///     server, if there is one.
    ///   - policy: The rules after an interruption. Defaults to `ResumptionPolicy()`.
    ///   - syncInterval: The number of bytes to write before a synchronization; at least 1. Defaults to 64 MiB.
    ///   - maximumRequestCount: The maximum number of requests at the same time, from 1 to
    ///     ``DownloadWorkers/maximumCount``. Defaults to 1.
    ///   - pieces: The lengths of the ranges if there are several requests. Defaults to 1 MiB to 16 MiB.
    package init(
        source: TransferResource,
        fileName: String,
        stored: StoredRecord,
        found: FoundFiles,
        expecting digest: TransferDigest? = nil,
        policy: ResumptionPolicy = ResumptionPolicy(),
        syncInterval: Int64 = Self.defaultSyncInterval,
        maximumRequestCount: Int = 1,
        pieces: PieceLength = PieceLength()
    ) {
        self.source = source
        self.expectedDigest = digest
        self.attempts = DownloadAttempts(policy)
        self.syncInterval = max(1, syncInterval)
        self.maximumRequestCount = min(max(1, maximumRequestCount), DownloadWorkers.maximumCount)
        self.pieces = pieces
        self.stored = stored
        self.found = found
        self.fileByteCount = found.partialByteCount ?? 0
        if case .usable(let record) = stored { self.fileName = record.fileName } else { self.fileName = fileName }
    }

    /// The progress so far.
    package var progress: DownloadProgress {
        DownloadProgress(
            completedByteCount: self.reportedByteCount,
            totalByteCount: self.representation?.completeLength
        )
    }

    /// The value of `Content-Type`, if a response or the record has one.
    package var mediaType: String? { self.representation?.mediaType }

    /// Whether a record is on the disk, usable or not.
    var hasRecord: Bool { self.stored != .absent }

    /// Whether all bytes are in the file.
    var isWhole: Bool {
        self.representation?.completeLength.map { self.bytes.written.contains(0..<$0) } ?? false
    }

    /// Whether a later call can continue with the bytes of the file.
    var canContinue: Bool { self.representation?.validator != nil }

    /// The digest that the complete file must have.
    var digest: TransferDigest? { self.expectedDigest ?? self.representation?.digest }

    /// Returns the record for bytes that are safe; `nil` if the download cannot be continued.
    func record(of ranges: ByteRangeSet) -> DownloadRecord? {
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
}
