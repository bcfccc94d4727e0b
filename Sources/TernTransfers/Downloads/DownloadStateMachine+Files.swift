// SPDX-License-Identifier: Apache-2.0

extension DownloadStateMachine {
    // MARK: Events

    /// Records that the action on the files has succeeded.
    package mutating func performed() -> DownloadStep {
        guard case .settling(var steps, let next) = self.state, !steps.isEmpty else { self.unexpected("performed") }
        switch steps.removeFirst() {
        case .writeRecord(let record): self.stored = .usable(record)
        case .discardRecord: self.stored = .absent
        case .truncate(let byteCount): self.fileByteCount = byteCount
        case .reserve(let byteCount): self.fileByteCount = max(self.fileByteCount, byteCount)
        case .synchronize: self.bytes.synchronizedAll()
        case .synchronizeFolder, .moveIntoPlace, .deletePartialFile, .confirm: break
        case .checkDigest: self.unexpected("performed")
        }
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
        return self.settle(self.removal, .end(.failed(.digestMismatch(digest.algorithm, digest.source))))
    }

    /// Records that an action on the files has failed, or that bytes could not be written or synchronized.
    ///
    /// The machine asks for no more actions. The record on the disk, if any, is still true.
    package mutating func fileFailed() -> DownloadStep {
        if case .ended(let outcome) = self.state { return .end(outcome) }
        return self.end(.failed(.fileFailed))
    }

    // MARK: Steps

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

    /// Moves the complete file into its place.
    ///
    /// The order is: synchronize the data, check the digest, rename the file, synchronize the folder, delete the
    /// record. So the destination never has an incomplete file. After a crash between two of these actions, the record
    /// lets the next call perform the rest.
    mutating func finish() -> DownloadStep {
        guard let length = self.representation?.completeLength else { self.unexpected("finish") }
        self.bytes.abandonSynchronization()
        var steps: [FileStep] = []
        if self.fileByteCount > length { steps.append(.truncate(byteCount: length)) }
        if !self.bytes.areSafe || !self.hasRecord || !steps.isEmpty { steps.append(.synchronize) }
        // A short download has no record, and needs none in the moments until the file is in its place, unless the
        // owner of the call must not download the file twice.
        var hasRecord = self.hasRecord
        if hasRecord || self.confirms, let record = self.record(of: self.bytes.written), .usable(record) != self.stored
        {
            steps.append(.writeRecord(record))
            hasRecord = true
        }
        if let digest = self.digest { steps.append(.checkDigest(digest)) }
        steps += [.moveIntoPlace, .synchronizeFolder]
        if self.confirms { steps.append(.confirm) }
        if hasRecord { steps.append(.discardRecord) }
        return self.settle(steps, .end(.complete(byteCount: length)))
    }

    /// Ends the call without the complete file.
    ///
    /// Makes the bytes so far safe for a later call. If no later call could continue with them, deletes the partial
    /// file.
    mutating func stop(_ failure: DownloadFailure) -> DownloadStep {
        self.bytes.abandonSynchronization()
        var steps: [FileStep] = []
        if self.hasBegun, !self.canContinue || self.bytes.written.isEmpty && !self.hasRecord {
            // No later call could use the bytes.
            steps = [.deletePartialFile]
        } else if self.hasBegun, !self.bytes.areSafe, let record = self.record(of: self.bytes.written) {
            steps = [.synchronize, .writeRecord(record), .synchronizeFolder]
        }
        return self.settle(steps, .end(.failed(failure)))
    }

    /// Ends the call without anything that a later call could use.
    mutating func remove() -> DownloadStep {
        self.bytes.abandonSynchronization()
        return self.settle(self.removal, .end(.failed(.interrupted)))
    }

    private var removal: [FileStep] { self.hasRecord ? [.discardRecord, .deletePartialFile] : [.deletePartialFile] }

    private mutating func end(_ outcome: DownloadOutcome) -> DownloadStep {
        self.state = .ended(outcome)
        return .end(outcome)
    }

    /// Traps, because the driver reported an event that cannot happen in this state.
    func unexpected(_ event: StaticString) -> Never { preconditionFailure("\(event) in state \(self.state)") }
}
