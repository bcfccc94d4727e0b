// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The events of a worker that receives a body, and those of the synchronizations beside it.
extension DownloadStateMachine {
    // MARK: Pieces

    /// Records that a piece was queued to be written, at the place that ``BodyPosition/next(byteCount:)`` returned.
    ///
    /// The piece counts as written, because a synchronization begins only when all earlier pieces are written.
    ///
    /// - Parameters:
    ///   - range: The place of the piece in the file.
    ///   - number: The number of the worker.
    ///   - isDue: Whether so much time has passed since the last synchronization that another is due, whatever the
    ///     number of bytes. Defaults to `false`.
    /// - Returns: The next action of the worker. The piece counts, also if the worker must leave.
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

    /// Records that the synchronization that ``PieceStep/synchronize`` asked for has succeeded.
    ///
    /// If it fails, do not synchronize again: after a failure, the system may have dropped the bytes, and a second
    /// synchronization may succeed without them.
    ///
    /// - Returns: The actions to perform, in order, without reporting them. They must be complete before the driver
    ///   reports ``workersLeft()``.
    package mutating func synced() -> [FileStep] { self.files.synced() }

    // MARK: The end of a body

    /// Records the end of a body, as the protocol marks it.
    ///
    /// Report a body that ends early with ``cut(by:by:using:)``.
    ///
    /// - Parameters:
    ///   - end: The position in the file after the last byte of the body.
    ///   - trailers: The trailer fields, which may have a digest; `nil` if there are none.
    ///   - number: The number of the worker.
    ///   - generator: The source of the jitter.
    /// - Returns: The next step of the worker.
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

    /// Records that a body is longer than the server announced.
    ///
    /// Some bytes of this body may be in the file. Those that are not safe yet do not count, because the server
    /// announced a wrong length. This holds also if another worker has made all workers leave before.
    ///
    /// - Parameter number: The number of the worker.
    /// - Returns: The next step of the worker.
    package mutating func bodyTooLong(by number: Int) -> WorkerStep {
        self.files.forgetUnsafe()
        return self.leave(number, .restart(.violation(.bodyTooLong)))
    }

    /// Records that a body was damaged on its way, as its digest shows.
    ///
    /// Bytes of this body may be in the record already, so no later call can use what is on the disk. This decides about
    /// the end of the call, also if another worker has made all workers leave before.
    ///
    /// - Parameter number: The number of the worker.
    /// - Returns: The next step of the worker.
    package mutating func damaged(by number: Int) -> WorkerStep {
        self.files.abandonSynchronization()
        return self.leave(number, .remove)
    }

    /// Records that a piece could not be written, or that a synchronization failed.
    ///
    /// - Parameter number: The number of the worker.
    /// - Returns: The next step of the worker.
    package mutating func writeFailed(by number: Int) -> WorkerStep {
        self.files.abandonSynchronization()
        return self.leave(number, .fileFailed)
    }
}
