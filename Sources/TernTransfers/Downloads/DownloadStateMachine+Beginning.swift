// SPDX-License-Identifier: Apache-2.0
import TernRequests

extension DownloadStateMachine {
    /// Decides whether the record and the partial file can be used.
    package mutating func start() -> DownloadStep {
        guard case .ready = self.state else { self.unexpected("start") }
        do throws(RestartReason) {
            guard let (record, isInPlace) = try self.files.adopt() else { return self.request(self.firstRequest) }
            self.attempts.begin(with: record.ranges.byteCount)
            self.reportedByteCount = record.ranges.byteCount
            if isInPlace {
                let steps = self.files.afterMove(hasRecord: true)
                return self.settle(steps, .end(.complete(byteCount: record.ranges.end)))
            }
            return record.isWhole ? self.finish() : self.request(self.nextRequest())
        } catch {
            self.restartReason = error
            return self.request(self.firstRequest)
        }
    }

    // MARK: The request of one worker

    /// The request for a representation of which the file has no bytes.
    private var firstRequest: PartRequest {
        self.maximumRequestCount > 1 ? .beginning(byteCount: self.pieces.minimum) : .whole
    }

    func nextRequest() -> PartRequest {
        guard self.restartReason == nil, let representation = self.files.representation,
            let validator = representation.validator
        else { return self.firstRequest }
        if self.maximumRequestCount > 1, let part = self.nextPart() { return part }
        guard !self.files.written.isEmpty,
            let gap = self.files.written.gaps(in: 0..<(representation.completeLength ?? .max)).first
        else { return self.firstRequest }
        let isLast = gap.upperBound == representation.completeLength ?? .max
        return .part(from: gap.lowerBound, to: isLast ? nil : gap.upperBound, of: validator)
    }

    mutating func request(_ request: PartRequest, after delay: Duration = .zero) -> DownloadStep {
        self.workers = DownloadWorkers(sending: request, self.attempts)
        self.state = .working
        return .work(.send(request, after: delay))
    }

    /// Requests the whole representation after a response that cannot be used; the second such response ends the call.
    mutating func restart(_ reason: RestartReason) -> DownloadStep {
        guard !self.hasRestarted else { return self.stop(.restartedTwice(reason)) }
        self.hasRestarted = true
        self.restartReason = reason
        self.maximumRequestCount = 1
        return self.request(.whole)
    }

    // MARK: The requests of several workers

    /// Returns whether several workers can share the missing bytes: the first response comes alone, to show that the server sends
    /// ranges, and to answer a challenge or a redirect.
    func canDivide(besides reception: Reception, _ request: PartRequest) -> Bool {
        guard self.maximumRequestCount > 1, self.files.canContinue, let end = request.end, reception.end != nil else {
            return false
        }
        return self.nextPart(besides: [reception.offset..<max(reception.offset, end)]) != nil
    }

    /// Returns the request for the next range that no worker has requested.
    func nextPart(besides claims: [Range<Int64>] = []) -> PartRequest? {
        guard let representation = self.files.representation, let validator = representation.validator,
            let length = representation.completeLength
        else { return nil }
        var taken = self.files.written
        for claim in claims { taken.insert(claim) }
        let gaps = taken.gaps(in: 0..<length)
        guard let range = self.pieces.next(in: gaps, for: self.maximumRequestCount) else { return nil }
        return .part(from: range.lowerBound, to: range.upperBound, of: validator)
    }

    /// Returns the number of the new worker and its first step; `nil` if no other worker has anything to do.
    package mutating func addWorker() -> (number: Int, step: WorkerStep)? {
        guard !self.isEnding, self.workers.isDivided, self.workers.count < self.maximumRequestCount,
            let request = self.nextPart(besides: self.workers.claims)
        else { return nil }
        let number = self.workers.add(sending: request, self.attempts)
        return (number, .send(request, after: .zero))
    }

    // MARK: Bodies

    /// The server sends no ranges, or the resource has just changed, so the call makes no further requests at the same time.
    mutating func receiveWhole(_ new: Representation, because reason: RestartReason?, now: HTTPDate) -> DownloadStep {
        self.maximumRequestCount = 1
        return self.receiveNew(new, upTo: new.completeLength, because: reason, .whole, now: now)
    }

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
        let steps = self.files.begin(new, now: now)
        let reception = Reception(offset: 0, end: end, restart: reason, absence: new.absence)
        return self.settle(steps + self.reservation(for: reception, request), .receive(reception, of: request))
    }

    mutating func receivePart(
        _ range: Range<Int64>,
        completeLength: Int64?,
        digest: TransferDigest?,
        _ request: PartRequest
    ) -> DownloadStep {
        self.files.learn(completeLength: completeLength, digest)
        let steps = self.files.beginPart()
        let reception = Reception(offset: range.lowerBound, end: range.upperBound, restart: nil, absence: nil)
        return self.settle(steps + self.reservation(for: reception, request), .receive(reception, of: request))
    }

    /// Reserves the space of the whole file before several requests write to it, so that a full disk is found before the bytes
    /// arrive; what one request has written counts anyway.
    private func reservation(for reception: Reception, _ request: PartRequest) -> [FileStep] {
        guard let length = self.files.representation?.completeLength, self.canDivide(besides: reception, request) else {
            return []
        }
        return [.reserve(byteCount: length)]
    }
}
