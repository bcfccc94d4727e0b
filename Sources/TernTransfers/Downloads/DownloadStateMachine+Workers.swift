// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// The events of the workers of a download; see ``DownloadStep/work(_:)``.
///
/// A worker that must leave does so with its next event, which counts only if it is a queued piece, a damaged body or a failed
/// write.
extension DownloadStateMachine {
    // MARK: All workers

    /// Whether all workers must leave; the driver cancels what they are doing.
    package var isEnding: Bool { if case .working = self.state { self.workers.ending != nil } else { true } }

    /// The worker that has made all leave, which may change until all have left: a damaged body takes precedence.
    package var endingNumber: Int? { if case .working = self.state { self.workers.endingNumber } else { nil } }

    package var workerCount: Int { if case .working = self.state { self.workers.count } else { 0 } }

    /// Records that all workers have left, and that everything that they received is written.
    package mutating func workersLeft() -> DownloadStep {
        guard case .working = self.state, self.workers.count == 0 else { self.unexpected("workersLeft") }
        switch self.workers.ending {
        case .response(let decision, let request, let now)?: return self.obey(decision, request, now: now)
        case .finish?: return self.finish()
        case .request(let delay)?: return self.request(self.nextRequest(), after: delay)
        case .restart(let reason)?: return self.restart(reason)
        case .stop(let failure)?: return self.stop(failure)
        case .remove?: return self.remove()
        case .fileFailed?: return self.fileFailed()
        case nil: return self.files.isWhole ? self.finish() : self.request(self.nextRequest())
        }
    }

    private mutating func obey(_ decision: DownloadDecision, _ request: PartRequest, now: HTTPDate) -> DownloadStep {
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
            self.files.learn(completeLength: length)
            return self.finish()
        case .restart(let reason): return self.restart(reason)
        case .refuse(let violation): return self.stop(.violation(violation))
        case .status(let code, _): return self.stop(.status(code))
        }
    }

    // MARK: Heads

    /// Records the head of a response; the fields are those received, with `Content-Encoding`.
    package mutating func received(
        status: Int,
        fields: HTTPFields,
        now: HTTPDate,
        by number: Int,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard let request = self.workers.exchange(of: number)?.request else { return self.leave(number) }
        let decision = DownloadDecision(
            request,
            status: status,
            fields,
            known: self.files.representation,
            present: self.files.written,
            now: now
        )
        let othersReceive = self.workers.othersReceive(besides: number)
        switch decision {
        case .part(let range, let length, let digest) where self.workers.isDivided:
            self.files.learn(completeLength: length, digest)
            let reception = Reception(offset: range.lowerBound, end: range.upperBound, restart: nil, absence: nil)
            self.workers.receive(reception, by: number)
            self.concurrentRequestCount = max(self.workers.receivingCount, self.concurrentRequestCount)
            return .receive(reception)
        case .whole(_, .rangeIgnored?) where othersReceive:
            // The representation is the same, so the bytes so far are worth more than this answer.
            return self.retire(number)
        case .status where othersReceive: return self.retire(number)
        case .status(let code, let delay)
        where self.attempts.policy.statusCodes.contains(code)
            && delay ?? .zero <= self.attempts.policy.maximumRetryAfter:
            return self.tryAgain(number, after: delay ?? .zero, else: .status(code), using: &generator)
        case .whole, .part, .beginning, .undivided, .complete, .restart, .refuse, .status:
            return self.leave(number, .response(decision, to: request, at: now))
        }
    }

    // MARK: Interruptions

    package mutating func cut(
        by error: ClientError,
        by number: Int,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard !self.isEnding else { return self.leave(number) }
        if case .connectionFailed(.refused, _) = error, self.workers.othersReceive(besides: number) {
            return self.retire(number)
        }
        guard error.isRetryable else { return self.leave(number, .stop(.interrupted)) }
        return self.tryAgain(number, after: .zero, else: .interrupted, using: &generator)
    }

    mutating func tryAgain(
        _ number: Int,
        after delay: Duration,
        else failure: DownloadFailure,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        // All bytes may have arrived before the end of the body got lost.
        if self.files.isWhole, self.files.canContinue { return self.leaveWhole(number) }
        guard self.countFailedAttempt(of: number) else { return self.giveUp(number, failure) }
        if let absence = self.files.representation?.absence, !self.files.written.isEmpty {
            self.restartReason = .noValidator(absence)
        }
        return self.goOn(number, after: delay + self.attempts.delay(using: &generator))
    }

    /// Returns whether the policy allows another attempt.
    mutating func countFailedAttempt(of number: Int) -> Bool {
        if let exchange = self.workers.exchange(of: number) { self.attempts.fail(since: exchange.failedAttemptCount) }
        return !self.attempts.areUsedUp
    }

    // MARK: Going on, or leaving

    /// Makes a worker request the next range; if the missing bytes are not divided, it leaves first, so that what has arrived is
    /// safe before the wait.
    mutating func goOn(_ number: Int, after delay: Duration = .zero) -> WorkerStep {
        guard self.workers.isDivided else { return self.leave(number, .request(after: delay)) }
        self.workers.leave(number)
        guard let request = self.nextPart(besides: self.workers.claims) else { return .leave }
        self.workers.send(request, self.attempts, by: number)
        return .send(request, after: delay)
    }

    /// Makes a worker leave when all bytes are in the file; others only wait for the ends of their bodies, which may show damage.
    mutating func leaveWhole(_ number: Int) -> WorkerStep {
        self.leave(number, self.workers.isDivided ? nil : .finish)
    }

    /// Makes a worker leave whose attempts are used up; the call goes on while another worker receives, unless the policy allows
    /// no repetition.
    mutating func giveUp(_ number: Int, _ failure: DownloadFailure) -> WorkerStep {
        guard self.attempts.policy.maximumAttemptCount > 1, self.workers.othersReceive(besides: number) else {
            return self.leave(number, .stop(failure))
        }
        self.attempts.startAgain()
        return self.retire(number)
    }

    /// Makes a worker leave, because the server does not answer as many requests at the same time.
    private mutating func retire(_ number: Int) -> WorkerStep {
        let step = self.leave(number)
        self.maximumRequestCount = max(1, self.workerCount)
        return step
    }

    mutating func leave(_ number: Int, _ reason: DownloadWorkers.Ending? = nil) -> WorkerStep {
        self.workers.leave(number, reason)
        return .leave
    }
}
