// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections

extension TransferQueue {
    /// Performs the transfers until the task is cancelled.
    ///
    /// When the task is cancelled, all transfers end; what they have done is on the disk when the method returns. The
    /// client finishes no transfer in the background.
    ///
    /// - Throws: ``TransferQueueError/alreadyRunning`` when another call of this method or of ``runUntilIdle()`` has not
    ///   returned. Cancellation is not an error.
    public func run() async throws(TransferQueueError) { try await self.run(untilIdle: false) }

    /// Performs the transfers until no transfer can go on by itself: each is completed, failed or paused.
    ///
    /// Waits for transfers that are delayed, and for the network. If ``isPaused`` is `true`, returns at once. Cancelling
    /// the task has the same effect as with ``run()``.
    ///
    /// - Throws: ``TransferQueueError/alreadyRunning`` when another call of this method or of ``run()`` has not returned.
    public func runUntilIdle() async throws(TransferQueueError) { try await self.run(untilIdle: true) }

    private func run(untilIdle endsWhenIdle: Bool) async throws(TransferQueueError) {
        let isFirst = self.state.use { book in
            defer { book.isRunning = true }
            return !book.isRunning
        }
        guard isFirst else { throw .alreadyRunning }
        defer { self.state.use { $0.isRunning = false } }
        // The transfers are child tasks, so they end when this task is cancelled, and before this method returns.
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = self.clock.now
                let step = self.state.look { book in book.nextStep(now: now) }
                switch step {
                case .start(let id): group.addTask { await self.perform(id) }
                case .wait(let instant): await self.state.waitForNews(until: instant, on: self.clock)
                case .idle where endsWhenIdle: return
                case .idle: await self.state.waitForNews(until: nil, on: self.clock)
                }
            }
        }
    }

    /// Performs one attempt of a transfer, and records its end.
    private func perform(_ id: TransferID) async {
        // A task of its own, so that the application can end this attempt alone.
        let task = Task { await self.attempt(id) }
        let mustEnd = self.state.use { book in book.begin(id) { task.cancel() } }
        if mustEnd { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        await self.finish(id, result)
    }

    /// Records the end of an attempt: on the disk, and in the schedule.
    ///
    /// The delegate hears of an answer after that, so that it cannot get it twice.
    private func finish(_ id: TransferID, _ result: AttemptResult) async {
        let (clock, state, store) = (self.clock, self.state, self.store)
        let (ends, outcome, answered) = await store.perform {
            let (change, ends, answer) = state.update { book in
                let change = book.end(id, result, now: clock.now, date: clock.date)
                let (ends, answer) = book.takeEnds(id)
                return (change, ends, answer)
            }
            var outcome = Result<Void, TransferQueueError>.success(())
            switch change {
            case .none: break
            // If it cannot be written, the form on the disk is older, and a later process performs the attempt again.
            case .store(let transfer): try? store.write(transfer)
            case .remove(let transfer): outcome = Self.removeFiles(of: transfer, store, state)
            }
            let answered = answer.flatMap { answer in state.use { $0.transfer(id) }.map { ($0, answer) } }
            return (ends, outcome, answered)
        }
        if let (transfer, answer) = answered { await self.delegate?.transfer(transfer, didUpload: answer) }
        for end in ends { end.resume(with: outcome) }
    }
}

extension TransferBook {
    /// What must happen on the disk after the end of an attempt.
    enum DiskChange: Sendable {
        case none
        case store(StoredTransfer)
        case remove(StoredTransfer)
    }

    /// Returns the next step of the task that performs the transfers.
    mutating func nextStep(now: ClockInstant) -> TransferSchedule.Step {
        let step = self.schedule.next(now: now)
        if case .start(let id) = step { self.note(.transfer(id)) }
        return step
    }

    /// Records that the attempt of a transfer begins.
    ///
    /// - Parameters:
    ///   - id: The transfer.
    ///   - cancel: Ends the attempt.
    /// - Returns: Whether the attempt must end at once, because the application has said so meanwhile.
    mutating func begin(_ id: TransferID, _ cancel: @escaping @Sendable () -> Void) -> Bool {
        self.items[id]?.cancel = cancel
        if case .stopping = self.schedule.entries[id]?.phase { return true }
        return false
    }

    /// Records the end of an attempt.
    mutating func end(_ id: TransferID, _ result: AttemptResult, now: ClockInstant, date: HTTPDate) -> DiskChange {
        guard var item = self.items[id] else { return .none }
        var generator = SystemRandomNumberGenerator()
        self.updateSchedule { $0.ended(id, result.end, now: now, using: &generator) }
        guard let entry = self.schedule.entries[id] else { return .none }
        item.cancel = nil
        var stored = item.stored
        stored.failedAttemptCount = entry.failedAttemptCount
        if let failure = result.failure {
            item.failure = failure
            stored.failure = StoredTransfer.Failure(failure)
        } else if result.end == .completed {
            item.failure = nil
        }
        stored.mayBeProcessed = item.mayBeProcessed
        (stored.byteCount, stored.totalByteCount) = (item.progress.byteCount, item.progress.totalByteCount)
        switch entry.phase {
        case .delayed(let end, _): stored.phase = .delayed(until: date.advanced(by: now.duration(to: end)))
        case .paused: stored.phase = .paused
        case .failed: stored.phase = .failed
        // The form on the disk is that of a complete transfer already.
        case .completed: stored = item.stored
        case .waiting, .running, .stopping, .removing: stored.phase = .waiting
        }
        let isChanged = stored != item.stored
        item.stored = stored
        self.items[id] = item
        self.note(.transfer(id))
        if entry.phase == .removing { return .remove(stored) }
        return isChanged ? .store(stored) : .none
    }

    /// Takes those who wait for the end of an attempt, and the answer of an upload that is complete.
    mutating func takeEnds(
        _ id: TransferID
    ) -> (ends: [Suspension<Result<Void, TransferQueueError>>], answer: ResumedUpload?) {
        guard var item = self.items[id] else { return ([], nil) }
        defer { self.items[id] = item }
        let taken = (item.ends, item.answer)
        (item.ends, item.answer) = ([], nil)
        return taken
    }
}

extension HTTPDate {
    /// Returns the date that is `duration` later, rounded up to a second.
    fileprivate func advanced(by duration: Duration) -> HTTPDate {
        let (seconds, attoseconds) = duration.components
        let (sum, overflows) = self.secondsSince1970.addingReportingOverflow(seconds + (attoseconds > 0 ? 1 : 0))
        return HTTPDate(secondsSince1970: overflows ? .max : sum)
    }
}
