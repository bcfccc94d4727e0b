// SPDX-License-Identifier: Apache-2.0
import TernRequests

extension DownloadStateMachine {
    /// Begins the call: decides whether the record and the partial file can be used.
    ///
    /// - Returns: The first request; or actions on the files, if all bytes are on the disk already.
    package mutating func start() -> DownloadStep {
        guard case .ready = self.state else { self.unexpected("start") }
        self.fileNumber = self.found.partialNumber
        do throws(RestartReason) {
            guard let record = try self.usableRecord() else { return self.request(self.firstRequest) }
            if self.isInPlace(record) {
                self.adopt(record)
                let steps: [FileStep] = [.synchronizeFolder] + (self.confirms ? [.confirm] : []) + [.discardRecord]
                return self.settle(steps, .end(.complete(byteCount: record.ranges.end)))
            }
            try self.check(record)
            self.adopt(record)
            return record.isWhole ? self.finish() : self.request(self.nextRequest())
        } catch {
            self.restartReason = error
            return self.request(self.firstRequest)
        }
    }

    /// Returns the record; `nil` if nothing is on the disk.
    private func usableRecord() throws(RestartReason) -> DownloadRecord? {
        switch self.stored {
        case .usable(let record): return record
        case .unusable(let problem): throw .recordUnusable(problem)
        case .absent:
            if self.fileByteCount > 0 { throw .recordMissing }
            return nil
        }
    }

    /// Returns whether an earlier call has moved the complete file into its place, and ended before it deleted the
    /// record.
    private func isInPlace(_ record: DownloadRecord) -> Bool {
        // A call that was killed may have left an empty partial file beside the complete one.
        guard self.found.partialByteCount ?? 0 == 0, record.isWhole, let number = record.fileNumber,
            let destination = self.found.destination
        else { return false }
        return destination.number == number && destination.byteCount == record.completeLength
            // The earlier call has checked that the file has the digest in the record.
            && self.expectedDigest.map { $0 == record.digest } ?? true
    }

    /// Checks that the partial file is long enough for the bytes that its record claims, and that this call may
    /// continue the download.
    private func check(_ record: DownloadRecord) throws(RestartReason) {
        guard let byteCount = self.found.partialByteCount else { throw .fileMissing }
        guard byteCount >= record.ranges.end else {
            throw .fileTooShort(recorded: record.ranges.end, found: byteCount)
        }
        guard record.isWhole || record.validator.entityTag != nil || record.source == self.source else {
            throw .otherURL
        }
    }

    private mutating func adopt(_ record: DownloadRecord) {
        self.representation = Representation(record)
        self.creationDate = record.creationDate
        self.lastRecord = record
        self.written = record.ranges
        self.safe = record.ranges
        self.progressMark = record.ranges.byteCount
        self.reportedByteCount = record.ranges.byteCount
    }

    // MARK: Requests

    /// The request for a representation of which the file has no bytes.
    private var firstRequest: PartRequest {
        self.maximumRequestCount > 1 ? .beginning(byteCount: self.pieces.minimum) : .whole
    }

    /// Returns the request for the first missing bytes; or for the whole representation or its beginning, if the call
    /// cannot continue from the bytes in the file.
    func nextRequest() -> PartRequest {
        guard self.restartReason == nil, let representation = self.representation,
            let validator = representation.validator
        else { return self.firstRequest }
        if self.maximumRequestCount > 1, let piece = self.nextPiece() {
            return .part(from: piece.lowerBound, to: piece.upperBound, of: validator)
        }
        guard !self.written.isEmpty,
            let gap = self.written.gaps(in: 0..<(representation.completeLength ?? .max)).first
        else { return self.firstRequest }
        let isLast = gap.upperBound == representation.completeLength ?? .max
        return .part(from: gap.lowerBound, to: isLast ? nil : gap.upperBound, of: validator)
    }

    mutating func request(_ request: PartRequest, after delay: Duration = .zero) -> DownloadStep {
        self.state = .requesting(request)
        return .send(request, after: delay)
    }

    /// Requests the whole representation after a response that cannot be used.
    ///
    /// A second response that cannot be used ends the call.
    mutating func restart(_ reason: RestartReason) -> DownloadStep {
        guard !self.hasRestarted else { return self.stop(.restartedTwice(reason)) }
        self.hasRestarted = true
        self.restartReason = reason
        self.maximumRequestCount = 1
        return self.request(.whole)
    }

    // MARK: Bodies

    /// Prepares the file for the body of a response with the whole representation.
    ///
    /// The server sends no ranges, or the resource has just changed, so the call makes no further requests at the same
    /// time.
    mutating func receiveWhole(_ new: Representation, because reason: RestartReason?, now: HTTPDate) -> DownloadStep {
        self.maximumRequestCount = 1
        return self.receiveNew(new, upTo: new.completeLength, because: reason, .whole, now: now)
    }

    /// Prepares the file for the body of a response with a representation of which the file has no bytes.
    ///
    /// The old record must be off the disk before the first new byte is in the file: otherwise the record would claim
    /// bytes of another version after a crash.
    mutating func receiveNew(
        _ new: Representation,
        upTo end: Int64?,
        because reason: RestartReason?,
        _ request: PartRequest,
        now: HTTPDate
    ) -> DownloadStep {
        let reason = self.restartReason ?? reason
        self.restartReason = nil
        if reason?.isResourceChange == true { self.reportedByteCount = 0 }
        self.representation = new
        self.creationDate = now
        (self.written, self.safe, self.syncing, self.unsyncedByteCount) = (ByteRangeSet(), ByteRangeSet(), nil, 0)
        self.hasBegun = true
        var steps: [FileStep] = []
        if self.hasRecord {
            steps = [self.record(of: ByteRangeSet()).map { .writeRecord($0) } ?? .discardRecord, .synchronizeFolder]
        }
        if self.fileByteCount > 0 { steps.append(.truncate(byteCount: 0)) }
        let reception = Reception(offset: 0, end: end, restart: reason, absence: new.absence)
        return self.settle(steps + self.reservation(for: reception, request), .receive(reception, request: request))
    }

    /// Prepares the file for the body of a response with a part.
    mutating func receivePart(
        _ range: Range<Int64>,
        completeLength: Int64?,
        digest: TransferDigest?,
        _ request: PartRequest
    ) -> DownloadStep {
        self.learn(completeLength, digest)
        self.hasBegun = true
        // The file may have bytes after those of the record. They were never safe, so drop them.
        let steps = self.fileByteCount > self.written.end ? [FileStep.truncate(byteCount: self.written.end)] : []
        let reception = Reception(offset: range.lowerBound, end: range.upperBound, restart: nil, absence: nil)
        return self.settle(steps + self.reservation(for: reception, request), .receive(reception, request: request))
    }

    /// Returns the action that reserves the space of the whole file before several requests write to it.
    ///
    /// So a full disk is found before the bytes arrive. One request writes the file from the beginning to the end, and
    /// what it has written counts when the disk is full.
    private func reservation(for reception: Reception, _ request: PartRequest) -> [FileStep] {
        guard let length = self.representation?.completeLength,
            self.workers(beginningWith: reception, request) != nil
        else { return [] }
        return [.reserve(byteCount: length)]
    }

    /// Keeps what a response with a part says about the whole representation.
    mutating func learn(_ completeLength: Int64?, _ digest: TransferDigest?) {
        if self.representation?.completeLength == nil { self.representation?.completeLength = completeLength }
        if self.representation?.digest == nil { self.representation?.digest = digest }
    }
}
