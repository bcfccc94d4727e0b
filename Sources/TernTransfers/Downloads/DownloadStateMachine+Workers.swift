// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// The events of the workers of a download; see ``DownloadStep/work(_:)``.
///
/// Each event has the number of its worker. The checks and the counts are those of a download with one request.
extension DownloadStateMachine {
    // MARK: Workers

    /// Whether all workers must leave; the driver cancels what they are doing.
    package var isEnding: Bool {
        if case .working(let workers) = self.state { workers.ending != nil } else { true }
    }

    /// The number of workers that have not left.
    package var workerCount: Int { if case .working(let workers) = self.state { workers.all.count } else { 0 } }

    /// Adds a worker.
    ///
    /// - Returns: The number of the worker and its first step; `nil` if no other worker has anything to do.
    package mutating func addWorker() -> (number: Int, step: WorkerStep)? {
        guard case .working(var workers) = self.state, workers.ending == nil,
            workers.all.count < self.maximumRequestCount, let request = self.nextRequest(besides: workers.claims)
        else { return nil }
        let number = workers.add(.requesting(request), self.totalFailedAttemptCount)
        self.state = .working(workers)
        return (number, .send(request, after: .zero))
    }

    /// Records that all workers have left.
    package mutating func workersLeft() -> DownloadStep {
        guard case .working(let workers) = self.state, workers.all.isEmpty else { self.unexpected("workersLeft") }
        switch workers.ending {
        case .whole(let new, let reason, let now)?: return self.receiveWhole(new, because: reason, now: now)
        case .restart(let reason)?: return self.restart(reason)
        case .stop(let failure)?: return self.stop(failure)
        case .remove?: return self.remove()
        case .fileFailed?: return self.fileFailed()
        case nil:
            guard let length = self.representation?.completeLength, self.written.contains(0..<length) else {
                return self.request(self.nextRequest())
            }
            return self.finish()
        }
    }

    // MARK: Responses

    /// Records the head of a response; see ``received(status:fields:now:using:)``.
    package mutating func received(
        status: Int,
        fields: HTTPFields,
        now: HTTPDate,
        by number: Int,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard let request = self.request(of: number) else { return self.leave(number) }
        let decision = DownloadDecision(
            request,
            status: status,
            fields,
            known: self.representation,
            present: self.written,
            now: now
        )
        switch decision {
        case .part(let range, let length, let digest):
            self.learn(length, digest)
            let reception = Reception(offset: range.lowerBound, end: range.upperBound, restart: nil, absence: nil)
            self.change(number) { $0.work = .receiving(reception, BodyPosition(reception, request)) }
            self.concurrentRequestCount = max(self.receivingWorkerCount, self.concurrentRequestCount)
            return .receive(reception)
        case .whole(_, .rangeIgnored?) where self.areOthersReceiving(than: number):
            // The representation is the same, so the bytes so far are worth more than this answer.
            return self.retire(number)
        case .whole(let new, let reason): return self.leave(number, .whole(new, because: reason, now: now))
        case .restart(let reason): return self.leave(number, .restart(reason))
        case .refuse(let violation): return self.leave(number, .restart(.violation(violation)))
        case .beginning, .undivided, .complete: return self.leave(number, .restart(.violation(.rangeRefused)))
        case .status where self.areOthersReceiving(than: number): return self.retire(number)
        case .status(let code, let delay):
            guard self.policy.statusCodes.contains(code), delay ?? .zero <= self.policy.maximumRetryAfter else {
                return self.leave(number, .stop(.status(code)))
            }
            return self.tryAgain(number, after: delay ?? .zero, else: .status(code), using: &generator)
        }
    }

    /// Records that a piece of a body has arrived.
    ///
    /// - Parameters:
    ///   - byteCount: The length of the piece, at least 0.
    ///   - number: The number of the worker.
    /// - Returns: The position for the piece; `nil` if the worker has left, because the body is longer than the server
    ///   announced, or because all workers must leave.
    package mutating func arrived(byteCount: Int, by number: Int) -> Int64? {
        guard let (reception, position) = self.reception(of: number), !self.isEnding else {
            _ = self.leave(number)
            return nil
        }
        guard Int64(byteCount) <= (reception.end ?? .max) - position.offset else {
            // As for a single request: do not count bytes that are not safe yet.
            (self.written, self.syncing) = (self.safe, nil)
            _ = self.leave(number, .restart(.violation(.bodyTooLong)))
            return nil
        }
        self.fileByteCount = max(self.fileByteCount, position.offset + Int64(byteCount))
        return position.offset
    }

    /// Records that a piece was written to the file, at the position that ``arrived(byteCount:by:)`` returned.
    ///
    /// - Parameters:
    ///   - byteCount: The length of the piece.
    ///   - number: The number of the worker.
    ///   - isDue: As for ``wrote(byteCount:isDue:)``. Defaults to `false`.
    /// - Returns: Whether to begin a synchronization of the file's data; it covers the bytes of all workers.
    package mutating func wrote(byteCount: Int, by number: Int, isDue: Bool = false) -> Bool {
        guard let (reception, position) = self.reception(of: number) else { return false }
        var moved = position
        moved.offset += Int64(byteCount)
        self.count(byteCount, at: position.offset)
        self.change(number) { [moved] in $0.work = .receiving(reception, moved) }
        return !self.isEnding && self.beginSynchronization(isDue: isDue)
    }

    /// Records the end of a body, as the protocol marks it; see ``bodyEnded(trailers:using:)``.
    package mutating func bodyEnded(
        trailers: HTTPFields?,
        by number: Int,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard let (reception, position) = self.reception(of: number), !self.isEnding else { return self.leave(number) }
        guard position.offset == reception.end else {
            return self.tryAgain(number, after: .zero, else: .interrupted, using: &generator)
        }
        self.learn(from: trailers, of: reception, until: position.offset)
        if position.offset < position.requestedEnd ?? position.offset {
            // The server has sent less than the request asked for: a failed attempt, but without a delay.
            guard self.countFailedAttempt(of: number) else { return self.exhaust(number, .interrupted) }
        }
        return self.continue(number, after: .zero)
    }

    // MARK: Interruptions

    /// Records that an exchange failed; see ``cut(by:using:)``.
    package mutating func cut(
        by error: ClientError,
        by number: Int,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard !self.isEnding else { return self.leave(number) }
        if case .connectionFailed(.refused, _) = error, self.areOthersReceiving(than: number) {
            return self.retire(number)
        }
        guard error.isRetryable else { return self.leave(number, .stop(.interrupted)) }
        return self.tryAgain(number, after: .zero, else: .interrupted, using: &generator)
    }

    /// Records that a body was damaged on its way; see ``damaged()``.
    package mutating func damaged(by number: Int) {
        self.syncing = nil
        _ = self.leave(number, .remove)
    }

    /// Records that a file could not be written or synchronized; see ``fileFailed()``.
    package mutating func fileFailed(by number: Int) {
        self.syncing = nil
        _ = self.leave(number, .fileFailed)
    }
}
