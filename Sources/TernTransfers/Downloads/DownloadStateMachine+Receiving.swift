// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests
import TernRetry

extension DownloadStateMachine {
    /// The action for a piece of a body.
    package enum Arrival: Hashable, Sendable {
        /// Write the piece at this position in the file.
        case write(at: Int64)
        /// Write nothing, discard the rest of the body, and continue with this step.
        case refuse(DownloadStep)
    }

    // MARK: Heads

    /// Records the head of a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields as received, with `Content-Encoding`.
    ///   - now: The current time.
    ///   - generator: The source of the jitter.
    /// - Returns: The next step. The driver needs the body of the response only if this step is
    ///   ``DownloadStep/receive(_:)``, or if that step follows after one or more ``DownloadStep/perform(_:)``.
    package mutating func received(
        status: Int,
        fields: HTTPFields,
        now: HTTPDate,
        using generator: inout some RandomNumberGenerator
    ) -> DownloadStep {
        guard case .requesting(let request) = self.state else { self.unexpected("received") }
        let decision = DownloadDecision(
            request,
            status: status,
            fields,
            known: self.representation,
            present: self.written,
            now: now
        )
        switch decision {
        case .whole(let new, let reason): return self.receiveWhole(new, because: reason, now: now)
        case .part(let range, let length, let digest):
            return self.receivePart(range, completeLength: length, digest: digest, request)
        case .beginning(let new, let range):
            return self.receiveNew(new, upTo: range.upperBound, because: nil, request, now: now)
        case .undivided:
            self.maximumRequestCount = 1
            return self.request(.whole)
        case .complete(let length):
            self.representation?.completeLength = length
            return self.finish()
        case .restart(let reason): return self.restart(reason)
        case .refuse(let violation): return self.stop(.violation(violation))
        case .status(let code, let delay):
            guard self.policy.statusCodes.contains(code), delay ?? .zero <= self.policy.maximumRetryAfter else {
                return self.stop(.status(code))
            }
            return self.tryAgain(after: delay ?? .zero, else: .status(code), using: &generator)
        }
    }

    // MARK: Bodies

    /// Records that a piece of the body has arrived.
    ///
    /// - Parameter byteCount: The length of the piece, at least 0.
    /// - Returns: The position for the piece; or a refusal, if the body with this piece is longer than the server
    ///   announced.
    package mutating func arrived(byteCount: Int) -> Arrival {
        guard case .receiving(let reception, let position) = self.state else { self.unexpected("arrived") }
        guard Int64(byteCount) <= (reception.end ?? .max) - position.offset else {
            // Some bytes of this body may be in the file. Do not count those that are not safe yet, because the server
            // announced a wrong length.
            self.written = self.safe
            return .refuse(self.restart(.violation(.bodyTooLong)))
        }
        self.fileByteCount = max(self.fileByteCount, position.offset + Int64(byteCount))
        return .write(at: position.offset)
    }

    /// Records that a piece was written to the file, at the position that ``arrived(byteCount:)`` returned.
    ///
    /// - Parameters:
    ///   - byteCount: The length of the piece.
    ///   - isDue: Whether so much time has passed since the last synchronization that another is due, whatever the
    ///     number of bytes. Defaults to `false`.
    /// - Returns: Whether to begin a synchronization of the file's data. It may run while more pieces are written;
    ///   report its end with ``synced()``. Until then, the machine asks for no other.
    package mutating func wrote(byteCount: Int, isDue: Bool = false) -> Bool {
        guard case .receiving(let reception, var position) = self.state else { self.unexpected("wrote") }
        self.count(byteCount, at: position.offset)
        position.offset += Int64(byteCount)
        self.state = .receiving(reception, position)
        return self.beginSynchronization(isDue: isDue)
    }

    /// Counts bytes that were written.
    mutating func count(_ byteCount: Int, at offset: Int64) {
        self.written.insert(at: offset, byteCount: Int64(byteCount))
        self.unsyncedByteCount += Int64(byteCount)
        let writtenByteCount = self.written.byteCount
        self.reportedByteCount = max(self.reportedByteCount, writtenByteCount)
        if writtenByteCount - self.progressMark >= ResumptionPolicy.progressByteCount {
            (self.progressMark, self.failedAttemptCount) = (writtenByteCount, 0)
        }
    }

    /// Returns whether to begin a synchronization of everything that is written.
    mutating func beginSynchronization(isDue: Bool) -> Bool {
        guard self.canContinue, self.syncing == nil, isDue || self.unsyncedByteCount >= self.syncInterval else {
            return false
        }
        (self.syncing, self.unsyncedByteCount) = (self.written, 0)
        return true
    }

    /// Records that the synchronization that ``wrote(byteCount:isDue:)`` asked for has succeeded.
    ///
    /// If it fails, report ``fileFailed()`` and do not synchronize again: after a failure, the system may have dropped
    /// the bytes, and a second synchronization may succeed without them.
    ///
    /// - Returns: The actions to perform, in order, without reporting them. They must be complete before the driver
    ///   reports the end of the body.
    package mutating func synced() -> [FileStep] {
        guard let syncing = self.syncing else { return [] }
        (self.safe, self.syncing) = (syncing, nil)
        guard let record = self.record(of: syncing) else { return [] }
        // The name of a new file is on the disk only after the folder was synchronized.
        let steps: [FileStep] = self.hasRecord ? [.writeRecord(record)] : [.writeRecord(record), .synchronizeFolder]
        (self.hasRecord, self.lastRecord) = (true, record)
        return steps
    }

    /// Records the end of the body, as the protocol marks it.
    ///
    /// Report a body that ends early with ``cut(by:using:)``.
    ///
    /// - Parameters:
    ///   - trailers: The trailer fields, which may have a digest; `nil` if there are none.
    ///   - generator: The source of the jitter.
    /// - Returns: The next step.
    package mutating func bodyEnded(
        trailers: HTTPFields?,
        using generator: inout some RandomNumberGenerator
    ) -> DownloadStep {
        guard case .receiving(let reception, let position) = self.state else { self.unexpected("bodyEnded") }
        guard position.offset == reception.end ?? position.offset else {
            return self.tryAgain(after: .zero, else: .interrupted, using: &generator)
        }
        // Only the whole representation may have no announced end.
        if reception.end == nil { self.representation?.completeLength = position.offset }
        self.learn(from: trailers, of: reception, until: position.offset)
        let length = self.representation?.completeLength
        if let length, self.written.contains(0..<length) { return self.finish() }
        guard position.offset < position.requestedEnd ?? length ?? .max else { return self.request(self.nextRequest()) }
        // The server may send less than the request asked for. Count that as a failed attempt, but continue without a
        // delay. So a server that sends only a few bytes each time cannot keep the call alive without end.
        self.countFailedAttempt()
        guard self.failedAttemptCount < self.policy.maximumAttemptCount else { return self.stop(.interrupted) }
        return self.request(self.nextRequest())
    }

    /// Keeps the digest of the whole representation that the trailers of a response have.
    mutating func learn(from trailers: HTTPFields?, of reception: Reception, until end: Int64) {
        guard let trailers, let representation = self.representation, representation.digest == nil,
            reception.absence != .contentCoded
        else { return }
        let isWhole = reception.offset == 0 && end == representation.completeLength
        self.representation?.digest = TransferDigest(trailers, isWhole: isWhole)
    }

    // MARK: Interruptions

    /// Records that the exchange failed, before the head or within the body, or that the call was cancelled while the
    /// driver waited.
    ///
    /// - Parameters:
    ///   - error: The error. Whether it is final depends on `ClientError.isRetryable`.
    ///   - generator: The source of the jitter.
    /// - Returns: The request for the missing bytes; or the end, perhaps after actions that make the bytes safe.
    package mutating func cut(by error: ClientError, using generator: inout some RandomNumberGenerator) -> DownloadStep
    {
        switch self.state {
        case .requesting, .receiving: break
        case .ready, .settling, .working, .ended: self.unexpected("cut")
        }
        guard error.isRetryable else { return self.stop(.interrupted) }
        return self.tryAgain(after: .zero, else: .interrupted, using: &generator)
    }

    /// Records that the body of the response was damaged on its way, as its digest shows.
    ///
    /// Bytes of this body may be in the record already, so no later call can use what is on the disk.
    ///
    /// - Returns: The end, after actions that delete the record and the partial file.
    package mutating func damaged() -> DownloadStep {
        guard case .receiving = self.state else { self.unexpected("damaged") }
        return self.remove()
    }

    /// Ends the call without anything that a later call could use.
    mutating func remove() -> DownloadStep {
        self.syncing = nil
        let removal: [FileStep] = self.hasRecord ? [.discardRecord, .deletePartialFile] : [.deletePartialFile]
        return self.settle(removal, .end(.failed(.interrupted)))
    }

    mutating func countFailedAttempt() {
        self.failedAttemptCount += 1
        self.totalFailedAttemptCount += 1
    }

    private mutating func tryAgain(
        after delay: Duration,
        else failure: DownloadFailure,
        using generator: inout some RandomNumberGenerator
    ) -> DownloadStep {
        // All bytes may have arrived before the end of the body got lost.
        if let length = self.representation?.completeLength, self.canContinue, self.written.contains(0..<length) {
            return self.finish()
        }
        self.countFailedAttempt()
        guard self.failedAttemptCount < self.policy.maximumAttemptCount else { return self.stop(failure) }
        if let absence = self.representation?.absence, !self.written.isEmpty {
            self.restartReason = .noValidator(absence)
        }
        let backoff = self.policy.backoff.delay(before: self.failedAttemptCount, using: &generator)
        return self.request(self.nextRequest(), after: delay + backoff)
    }
}
