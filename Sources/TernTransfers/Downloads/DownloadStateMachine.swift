// SPDX-License-Identifier: Apache-2.0

/// One call of a durable download, from the record on the disk to the complete file in its place.
///
/// A record never claims a byte that was not synchronized, or a byte of another version of the resource; and the bytes of two
/// versions are never in one file, as far as strong validators can tell. So the driver may stop after any step. To keep as many
/// bytes as possible, each worker reports ``cut(by:by:using:)``, and the driver performs the steps that follow.
package struct DownloadStateMachine: Sendable {
    enum State: Sendable {
        /// The call has not begun. Exits: `working`, `settling`.
        case ready
        /// The driver performs these actions. Exits: as `next` says; `settling` if the digest does not match; `ended` if one
        /// fails.
        case settling([FileStep], next: Next)
        /// Workers request and receive bytes. Exits, when all have left: `settling`, `working` with others, `ended`.
        case working
        /// The call is over; nothing more happens.
        case ended(DownloadOutcome)
    }

    enum Next: Sendable {
        case receive(Reception, of: PartRequest)
        case end(DownloadOutcome)
    }

    /// 64 MiB: a crash costs these bytes and those that arrive during the synchronization; on a slow line, the driver
    /// synchronizes earlier.
    package static let defaultSyncInterval: Int64 = 64 << 20

    /// By this number, a later call recognizes the file at the destination if the process ends before it deletes the record.
    package var fileNumber: UInt64? {
        get { self.files.fileNumber }
        set { self.files.fileNumber = newValue }
    }
    /// Whether the owner stores that the file is in its place before the record is deleted; then a short download has a record,
    /// too, which lets the next call find the file after a crash.
    package var confirms: Bool {
        get { self.files.confirms }
        set { self.files.confirms = newValue }
    }

    let syncInterval: Int64
    let pieces: PieceLength

    var files: DownloadFiles
    var state = State.ready
    var workers = DownloadWorkers()
    var attempts: DownloadAttempts
    /// The reason that the next response must be the whole representation; `nil` if it may be a part.
    var restartReason: RestartReason?
    /// Whether the call has already requested the whole representation after a response that it could not use.
    var hasRestarted = false
    /// Decreases when the server shows that it does not allow as many requests at the same time.
    var maximumRequestCount: Int
    var reportedByteCount: Int64 = 0

    /// The maximum number of responses that the call has received at the same time.
    package internal(set) var concurrentRequestCount = 0

    /// Creates the machine for a call; a usable record's file name takes precedence over `fileName`, and a missing digest comes
    /// from the record or the server.
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
        self.files = DownloadFiles(
            fileName: fileName,
            source: source,
            stored: stored,
            found: found,
            expecting: digest
        )
        self.attempts = DownloadAttempts(policy)
        self.syncInterval = max(1, syncInterval)
        self.maximumRequestCount = min(max(1, maximumRequestCount), DownloadWorkers.maximumCount)
        self.pieces = pieces
    }

    package var progress: DownloadProgress {
        DownloadProgress(
            completedByteCount: self.reportedByteCount,
            totalByteCount: self.files.representation?.completeLength
        )
    }

    package var mediaType: String? { self.files.representation?.mediaType }

    // MARK: Actions on the files

    package mutating func performed() -> DownloadStep {
        guard case .settling(var steps, let next) = self.state, !steps.isEmpty else { self.unexpected("performed") }
        let step = steps.removeFirst()
        if case .checkDigest = step { self.unexpected("performed") }
        self.files.performed(step)
        return self.settle(steps, next)
    }

    /// Deletes a file with another digest, because no later call could continue with it.
    package mutating func digestChecked(matches: Bool) -> DownloadStep {
        guard case .settling(let steps, let next) = self.state, case .checkDigest(let digest)? = steps.first else {
            self.unexpected("digestChecked")
        }
        guard !matches else { return self.settle(Array(steps.dropFirst()), next) }
        return self.settle(self.files.remove(), .end(.failed(.digestMismatch(digest.algorithm, digest.source))))
    }

    /// Asks for no more actions; the record on the disk, if any, is still true.
    package mutating func fileFailed() -> DownloadStep {
        if case .ended(let outcome) = self.state { return .end(outcome) }
        return self.end(.failed(.fileFailed))
    }

    mutating func settle(_ steps: [FileStep], _ next: Next) -> DownloadStep {
        if let first = steps.first {
            self.state = .settling(steps, next: next)
            return .perform(first)
        }
        switch next {
        case .receive(let reception, let request):
            self.concurrentRequestCount = max(1, self.concurrentRequestCount)
            let isDivided = self.canDivide(besides: reception, request)
            self.workers = DownloadWorkers(receiving: reception, of: request, self.attempts, isDivided: isDivided)
            self.state = .working
            return .work(.receive(reception))
        case .end(let outcome): return self.end(outcome)
        }
    }

    // MARK: The end

    mutating func finish() -> DownloadStep {
        guard let length = self.files.representation?.completeLength else { self.unexpected("finish") }
        return self.settle(self.files.finish(at: length), .end(.complete(byteCount: length)))
    }

    mutating func stop(_ failure: DownloadFailure) -> DownloadStep {
        self.settle(self.files.stop(), .end(.failed(failure)))
    }

    /// Ends the call without anything that a later call could use.
    mutating func remove() -> DownloadStep { self.settle(self.files.remove(), .end(.failed(.interrupted))) }

    private mutating func end(_ outcome: DownloadOutcome) -> DownloadStep {
        self.state = .ended(outcome)
        return .end(outcome)
    }

    func unexpected(_ event: StaticString) -> Never { preconditionFailure("\(event) in state \(self.state)") }
}
