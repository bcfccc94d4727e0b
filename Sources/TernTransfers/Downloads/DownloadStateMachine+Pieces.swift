// SPDX-License-Identifier: Apache-2.0
import TernRetry

/// The share of each worker in the bytes that are missing.
extension DownloadStateMachine {
    /// Returns the workers for a response with a part; `nil` if one request is enough or the rest cannot be divided.
    ///
    /// The first response of a call comes alone. It shows that the server sends ranges, and a challenge or a redirect
    /// is answered before other workers begin.
    func workers(beginningWith reception: Reception, _ request: PartRequest) -> DownloadWorkers? {
        guard self.maximumRequestCount > 1, self.canContinue, request.end != nil, reception.end != nil else {
            return nil
        }
        var workers = DownloadWorkers()
        let work = DownloadWorkers.Worker.Work.receiving(reception, BodyPosition(reception, request))
        _ = workers.add(work, self.totalFailedAttemptCount)
        return self.nextPiece(besides: workers.claims) == nil ? nil : workers
    }

    /// Returns the next range to request.
    ///
    /// - Parameter claims: The ranges that workers have requested. Defaults to none.
    /// - Returns: The range; `nil` if there is none, or if the length of the file is not known.
    func nextPiece(besides claims: [Range<Int64>] = []) -> Range<Int64>? {
        guard let length = self.representation?.completeLength else { return nil }
        var taken = self.written
        for claim in claims { taken.insert(claim) }
        let gaps = taken.gaps(in: 0..<length)
        guard let gap = gaps.first else { return nil }
        let missingByteCount = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        let byteCount = self.pieces.byteCount(of: missingByteCount, for: self.maximumRequestCount)
        return gap.lowerBound..<min(gap.lowerBound + byteCount, gap.upperBound)
    }

    func nextRequest(besides claims: [Range<Int64>]) -> PartRequest? {
        guard let validator = self.representation?.validator, let piece = self.nextPiece(besides: claims) else {
            return nil
        }
        return .part(from: piece.lowerBound, to: piece.upperBound, of: validator)
    }

    // MARK: One worker

    /// Returns the request that a worker has sent; `nil` if all workers must leave.
    func request(of number: Int) -> PartRequest? {
        guard case .working(let workers) = self.state, workers.ending == nil,
            case .requesting(let request)? = workers.all[number]?.work
        else { return nil }
        return request
    }

    /// Returns what a worker is receiving.
    func reception(of number: Int) -> (Reception, BodyPosition)? {
        guard case .working(let workers) = self.state,
            case .receiving(let reception, let position)? = workers.all[number]?.work
        else { return nil }
        return (reception, position)
    }

    func areOthersReceiving(than number: Int) -> Bool {
        if case .working(let workers) = self.state { workers.areOthersReceiving(than: number) } else { false }
    }

    var receivingWorkerCount: Int {
        if case .working(let workers) = self.state { workers.all.values.count(where: \.isReceiving) } else { 0 }
    }

    mutating func change(_ number: Int, _ change: (inout DownloadWorkers.Worker) -> Void) {
        guard case .working(var workers) = self.state, var worker = workers.all[number] else { return }
        change(&worker)
        workers.all[number] = worker
        self.state = .working(workers)
    }

    /// Makes a worker request the next piece; it leaves if there is none.
    mutating func `continue`(_ number: Int, after delay: Duration) -> WorkerStep {
        guard case .working(var workers) = self.state else { return .leave }
        workers.all[number] = nil
        guard let request = self.nextRequest(besides: workers.claims) else { return self.leave(number) }
        workers.all[number] = .init(work: .requesting(request), failedAttemptCount: self.totalFailedAttemptCount)
        self.state = .working(workers)
        return .send(request, after: delay)
    }

    /// Makes a worker leave, and, if nothing has ended the work before, all others with it.
    mutating func leave(_ number: Int, _ ending: DownloadWorkers.Ending? = nil) -> WorkerStep {
        guard case .working(var workers) = self.state else { return .leave }
        workers.all[number] = nil
        workers.ending = workers.ending ?? ending
        self.state = .working(workers)
        return .leave
    }

    /// Makes a worker leave, because the server does not answer as many requests at the same time.
    ///
    /// The others request the bytes that are left.
    mutating func retire(_ number: Int) -> WorkerStep {
        let step = self.leave(number)
        self.maximumRequestCount = max(1, self.workerCount)
        return step
    }

    // MARK: Failed attempts

    /// Counts a failed attempt, unless another has counted since the worker's exchange began.
    ///
    /// - Returns: Whether the policy allows another attempt.
    mutating func countFailedAttempt(of number: Int) -> Bool {
        if case .working(let workers) = self.state,
            workers.all[number]?.failedAttemptCount == self.totalFailedAttemptCount
        {
            self.countFailedAttempt()
        }
        return self.failedAttemptCount < self.policy.maximumAttemptCount
    }

    /// Makes a worker leave whose attempts are used up.
    ///
    /// While another worker receives, the call goes on without this one. A policy without repetitions ends the call.
    mutating func exhaust(_ number: Int, _ failure: DownloadFailure) -> WorkerStep {
        guard self.policy.maximumAttemptCount > 1, self.areOthersReceiving(than: number) else {
            return self.leave(number, .stop(failure))
        }
        self.failedAttemptCount = 0
        return self.retire(number)
    }

    mutating func tryAgain(
        _ number: Int,
        after delay: Duration,
        else failure: DownloadFailure,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard self.countFailedAttempt(of: number) else { return self.exhaust(number, failure) }
        let backoff = self.policy.backoff.delay(before: max(1, self.failedAttemptCount), using: &generator)
        return self.continue(number, after: delay + backoff)
    }
}
