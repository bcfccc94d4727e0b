// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

extension DownloadStateMachine {
    // MARK: Pieces

    /// Records that a piece was queued to be written, which counts as written, also if the worker must leave: a synchronization
    /// begins only when all earlier pieces are written.
    package mutating func wrote(_ range: Range<Int64>, by number: Int, isDue: Bool = false) -> PieceStep {
        let byteCount = self.files.wrote(range)
        self.reportedByteCount = max(self.reportedByteCount, byteCount)
        self.attempts.note(byteCount)
        guard !self.isEnding else {
            self.workers.leave(number)
            return .leave
        }
        let isBeginning = self.files.beginSynchronization(after: self.syncInterval, isDue: isDue)
        return isBeginning ? .synchronize : .receive
    }

    /// Returns the actions to complete, in order and unreported, before ``workersLeft()``; never synchronize again after a
    /// failure, because the system may have dropped the bytes, and the second synchronization may succeed without them.
    package mutating func synced() -> [FileStep] { self.files.synced() }

    // MARK: The end of a body

    /// Records the end of a body as the protocol marks it; report a body that ends early with ``cut(by:by:using:)``.
    package mutating func bodyEnded(
        at end: Int64,
        trailers: HTTPFields?,
        by number: Int,
        using generator: inout some RandomNumberGenerator
    ) -> WorkerStep {
        guard let exchange = self.workers.exchange(of: number), let reception = exchange.reception else {
            return self.leave(number)
        }
        guard end == reception.end ?? end else {
            return self.tryAgain(number, after: .zero, else: .interrupted, using: &generator)
        }
        // Only the whole representation may have no announced end.
        if reception.end == nil { self.files.learn(completeLength: end) }
        self.files.learn(from: trailers, of: reception, until: end)
        if self.files.isWhole { return self.leaveWhole(number) }
        if end < exchange.request.end ?? self.files.representation?.completeLength ?? .max {
            // The server may send less than the request asked for. Count that as a failed attempt, but continue without
            // a delay. So a server that sends only a few bytes each time cannot keep the call alive without end.
            guard self.countFailedAttempt(of: number) else { return self.giveUp(number, .interrupted) }
        }
        return self.goOn(number)
    }

    /// Forgets the bytes that are not safe yet, because the server announced a wrong length.
    package mutating func bodyTooLong(by number: Int) -> WorkerStep {
        self.files.forgetUnsafe()
        return self.leave(number, .restart(.violation(.bodyTooLong)))
    }

    /// Ends the call, because bytes of a body that its digest shows to be damaged may be in the record already.
    package mutating func damaged(by number: Int) -> WorkerStep {
        self.files.abandonSynchronization()
        return self.leave(number, .remove)
    }

    /// Records that a piece could not be written, or that a synchronization failed.
    package mutating func writeFailed(by number: Int) -> WorkerStep {
        self.files.abandonSynchronization()
        return self.leave(number, .fileFailed)
    }
}
