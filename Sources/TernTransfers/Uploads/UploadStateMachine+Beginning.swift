// SPDX-License-Identifier: Apache-2.0
package import TernRequests

extension UploadStateMachine {
    /// Decides whether the record can be used.
    package mutating func start(now: HTTPDate) -> UploadStep {
        guard case .ready = self.state else { self.unexpected("start") }
        switch self.stored {
        case .absent: return self.advance()
        case .unusable(let problem): return self.beginAgain(because: .recordUnusable(problem))
        case .usable(let record): return self.continueUpload(record, now: now)
        }
    }

    private mutating func continueUpload(_ record: UploadRecord, now: HTTPDate) -> UploadStep {
        guard record.resource == self.configuration.resource else { return self.beginAgain(because: .otherResource) }
        guard record.uploadProtocol.isSameFamily(as: self.configuration.uploadProtocol) else {
            return self.beginAgain(because: .otherProtocol)
        }
        if let change = self.change(since: record) {
            guard self.configuration.restartsChangedFile else { return self.end(.failed(.fileChanged(change))) }
            return self.beginAgain(because: .fileChanged(change))
        }
        // "After the resource's lifetime is reached, […] a client SHOULD NOT attempt to access the upload resource"
        // (draft §4.1.4). If the upload may be complete, ask all the same: only the server knows.
        if let end = record.expirationDate, end <= now, !record.mayBeComplete {
            return self.beginAgain(because: .expired)
        }
        self.adopt(record)
        return self.advance()
    }

    private func change(since record: UploadRecord) -> FileChange? {
        if let change = self.configuration.file.change(from: record.file) { return change }
        guard let expected = self.configuration.digest, let recorded = record.digest,
            expected.algorithm == recorded.algorithm
        else { return nil }
        return expected.value == recorded.value ? nil : .digest
    }

    private mutating func adopt(_ record: UploadRecord) {
        self.uploadProtocol = record.uploadProtocol
        self.dialect = record.uploadProtocol.dialect()
        self.location = record.url
        self.acknowledged = record.acknowledgedByteCount
        self.progressMark = record.acknowledgedByteCount
        self.limits = record.limits
        self.creationDate = record.creationDate
        self.expirationDate = record.expirationDate
        self.mayBeComplete = record.mayBeComplete
        self.lastRecord = record
    }

    /// Begins a new upload, after the driver has deleted the record of the old one.
    mutating func beginAgain(because reason: UploadRestartReason) -> UploadStep {
        self.restart = reason
        self.uploadProtocol = self.configuration.uploadProtocol
        self.dialect = self.configuration.uploadProtocol.dialect()
        (self.location, self.offset, self.expirationDate, self.lastRecord) = (nil, nil, nil, nil)
        (self.acknowledged, self.progressMark, self.reportedByteCount) = (0, 0, 0)
        (self.limits, self.mayBeComplete, self.lastStatus) = (UploadLimits(), false, nil)
        self.resumedByteCount = 0
        return self.advance(first: self.hasRecord ? [.discard, .synchronizeFolder] : [])
    }

    // MARK: Cancelling

    /// Asks the server to forget the upload of the record (`DELETE`); without a usable record, the call ends.
    package mutating func startCancelling() -> UploadStep {
        guard case .ready = self.state else { self.unexpected("startCancelling") }
        if case .usable(let record) = self.stored { self.adopt(record) }
        return self.abandon()
    }

    /// Asks the server to forget the upload during the call, after the driver has cancelled the exchange.
    package mutating func abandon() -> UploadStep {
        if case .ended(let outcome) = self.state { return .end(outcome) }
        return self.cancelUpload(then: .cancelled)
    }
}

extension UploadProtocol {
    /// Returns whether an upload can be continued, with the version by which it was created.
    fileprivate func isSameFamily(as other: UploadProtocol) -> Bool {
        switch (self, other) {
        case (.draft, .draft), (.tus, .tus): true
        case (.draft, .tus), (.tus, .draft): false
        }
    }
}
