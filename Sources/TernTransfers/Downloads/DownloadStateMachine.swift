// SPDX-License-Identifier: Apache-2.0

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

    /// The number of the partial file in its file system; set it when the file is open.
    ///
    /// If the process ends before it deletes the record, a later call recognizes the file at the destination by this
    /// number.
    package var fileNumber: UInt64? {
        get { self.files.fileNumber }
        set { self.files.fileNumber = newValue }
    }
    /// Whether the owner of the call stores that the complete file is in its place, before the record is deleted.
    ///
    /// Then a short download has a record, too, at the end: after a crash, it lets the next call find the file in its
    /// place. Defaults to `false`.
    package var confirms: Bool {
        get { self.files.confirms }
        set { self.files.confirms = newValue }
    }

    let syncInterval: Int64
    let pieces: PieceLength

    var files: DownloadFiles
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

    /// The progress so far.
    package var progress: DownloadProgress {
        DownloadProgress(
            completedByteCount: self.reportedByteCount,
            totalByteCount: self.files.representation?.completeLength
        )
    }

    /// The value of `Content-Type`, if a response or the record has one.
    package var mediaType: String? { self.files.representation?.mediaType }

    // MARK: Actions on the files

    /// Records that the action on the files has succeeded.
    package mutating func performed() -> DownloadStep {
        guard case .settling(var steps, let next) = self.state, !steps.isEmpty else { self.unexpected("performed") }
        let step = steps.removeFirst()
        if case .checkDigest = step { self.unexpected("performed") }
        self.files.performed(step)
        return self.settle(steps, next)
    }

    /// Records the comparison of the digest.
    ///
    /// - Parameter matches: Whether the complete file has the expected digest. If not, it is deleted: no later call
    ///   could continue with it.
    /// - Returns: The next step.
    package mutating func digestChecked(matches: Bool) -> DownloadStep {
        guard case .settling(let steps, let next) = self.state, case .checkDigest(let digest)? = steps.first else {
            self.unexpected("digestChecked")
        }
        guard !matches else { return self.settle(Array(steps.dropFirst()), next) }
        return self.settle(self.files.remove(), .end(.failed(.digestMismatch(digest.algorithm, digest.source))))
    }

    /// Records that an action on the files has failed, or that bytes could not be written or synchronized.
    ///
    /// The machine asks for no more actions. The record on the disk, if any, is still true.
    package mutating func fileFailed() -> DownloadStep {
        if case .ended(let outcome) = self.state { return .end(outcome) }
        return self.end(.failed(.fileFailed))
    }

    /// Makes the driver perform the actions, one after the other, and then continues with `next`.
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

    /// Moves the complete file into its place.
    mutating func finish() -> DownloadStep {
        guard let length = self.files.representation?.completeLength else { self.unexpected("finish") }
        return self.settle(self.files.finish(at: length), .end(.complete(byteCount: length)))
    }

    /// Ends the call without the complete file.
    mutating func stop(_ failure: DownloadFailure) -> DownloadStep {
        self.settle(self.files.stop(), .end(.failed(failure)))
    }

    /// Ends the call without anything that a later call could use.
    mutating func remove() -> DownloadStep { self.settle(self.files.remove(), .end(.failed(.interrupted))) }

    private mutating func end(_ outcome: DownloadOutcome) -> DownloadStep {
        self.state = .ended(outcome)
        return .end(outcome)
    }

    /// Traps, because the driver reported an event that cannot happen in this state.
    func unexpected(_ event: StaticString) -> Never { preconditionFailure("\(event) in state \(self.state)") }
}
