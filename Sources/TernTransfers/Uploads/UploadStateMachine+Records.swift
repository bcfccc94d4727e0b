// SPDX-License-Identifier: Apache-2.0
import TernRequests

extension UploadStateMachine {
    // MARK: Events

    package mutating func performed() -> UploadStep {
        guard case .settling(var steps, let next) = self.state, !steps.isEmpty else { self.unexpected("performed") }
        switch steps.removeFirst() {
        case .write(let record): (self.hasRecord, self.lastRecord) = (true, record)
        case .discard: (self.hasRecord, self.lastRecord) = (false, nil)
        case .synchronizeFolder, .confirm: break
        }
        return self.settle(steps, next)
    }

    /// Asks for no more actions; the record on the disk, if any, is still true.
    package mutating func fileFailed() -> UploadStep {
        if case .ended(let outcome) = self.state { return .end(outcome) }
        return self.end(.failed(.fileFailed))
    }

    // MARK: Records

    /// Returns the actions that write a record, if there is something that a later call must know.
    func recordSteps(completing completes: Bool, isDue: Bool = false) -> [RecordStep] {
        guard let record = self.record(completing: completes) else { return [] }
        // The name of a new file is on the disk only after the folder was synchronized.
        guard let last = self.lastRecord else { return [.write(record), .synchronizeFolder] }
        let lifetimes = [record, last].map { $0.expirationDate?.secondsSince1970 ?? .max }
        let isNews =
            record.url != last.url || record.limits != last.limits || record.mayBeComplete && !last.mayBeComplete
            || record.acknowledgedByteCount - last.acknowledgedByteCount >= Self.recordInterval
            // The server counts the lifetime from each response.
            || lifetimes[0].subtractingReportingOverflow(lifetimes[1]).partialValue.magnitude >= 60
            || isDue && record.acknowledgedByteCount > last.acknowledgedByteCount
            || isDue && record.mayBeComplete != last.mayBeComplete
        guard isNews else { return [] }
        // After a crash, the earlier record must not come back if the server may have completed the upload.
        let hidesCompletion = record.mayBeComplete && !last.mayBeComplete
        return hidesCompletion ? [.write(record), .synchronizeFolder] : [.write(record)]
    }

    private func record(completing completes: Bool) -> UploadRecord? {
        guard let location = self.location else { return nil }
        return UploadRecord(
            self.uploadProtocol,
            url: location,
            resource: self.configuration.resource,
            file: self.configuration.file,
            digest: self.configuration.digest ?? self.lastRecord?.digest,
            creationDate: self.creationDate,
            expirationDate: self.expirationDate,
            limits: self.limits,
            acknowledgedByteCount: self.acknowledged,
            mayBeComplete: completes || self.mayBeComplete
        )
    }

    // MARK: Steps

    mutating func settle(_ steps: [RecordStep], _ next: Next) -> UploadStep {
        if let first = steps.first {
            self.state = .settling(steps, next: next)
            return .perform(first)
        }
        switch next {
        case .send(let request, let delay):
            self.state = .requesting(request)
            self.sentInRequest = 0
            return .send(request, after: delay)
        case .end(let outcome): return self.end(outcome)
        }
    }

    /// Ends the call, and deletes the record, because no later call needs it; `isAccepted` if the server has accepted the file.
    mutating func finish(_ outcome: UploadOutcome, isAccepted: Bool = false) -> UploadStep {
        var steps: [RecordStep] = self.confirms && isAccepted ? [.confirm] : []
        if self.hasRecord { steps += [.discard, .synchronizeFolder] }
        return self.settle(steps, .end(outcome))
    }

    /// Ends the call, and keeps the record up to date, so that a later call can continue the upload.
    mutating func stop(_ failure: ResumableUploadFailure) -> UploadStep {
        if case .ended(let outcome) = self.state { return .end(outcome) }
        if case .requesting(let request) = self.state { self.noteSentBytes(of: request) }
        return self.settle(self.recordSteps(completing: false, isDue: true), .end(.failed(failure)))
    }

    /// Ends the call, and deletes the record, because no later call could use the upload.
    mutating func drop(_ failure: ResumableUploadFailure) -> UploadStep { self.finish(.failed(failure)) }

    /// Ends the call; keeps the record if a later call can continue the upload.
    mutating func fail(_ failure: ResumableUploadFailure) -> UploadStep {
        if case .violation(let violation) = failure, !violation.keepsRecord { return self.giveUp(failure) }
        return self.stop(failure)
    }

    mutating func giveUp(_ failure: ResumableUploadFailure) -> UploadStep { self.cancelUpload(then: .failed(failure)) }

    /// Asks the server to forget the upload, if the server has named one, and then ends the call.
    mutating func cancelUpload(then outcome: UploadOutcome) -> UploadStep {
        guard let location = self.location else { return self.finish(outcome) }
        self.outcomeAfterCancelling = outcome
        return self.settle([], .send(self.cancellation(of: location), after: .zero))
    }

    mutating func end(_ outcome: UploadOutcome) -> UploadStep {
        self.state = .ended(outcome)
        return .end(outcome)
    }
}
