// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernErrors

extension TransferQueue {
    /// Adds a transfer at the end of the queue.
    ///
    /// - Parameter description: The description of the transfer.
    /// - Returns: The identifier of the transfer. The transfer is on the disk.
    /// - Throws: ``TransferQueueError``: `.unsuitable` when the description cannot be used, for example because it contains a
    ///   secret; `.full` when the queue has the maximum number of transfers; `.file` when the transfer cannot be stored.
    @discardableResult
    public func add(_ description: TransferDescription) async throws(TransferQueueError) -> TransferID {
        if let reason = UnsuitableTransfer(description) { throw .unsuitable(reason) }
        let (clock, state, store) = (self.clock, self.state, self.store)
        let outcome = await store.perform { () -> Result<TransferID, TransferQueueError> in
            do throws(TransferQueueError) {
                let transfer = try state.use { $0.newTransfer(description) }.get()
                try Self.storing { () throws(FileFailure) in try store.write(transfer) }
                state.update { $0.insert(transfer, now: clock.now, date: clock.date) }
                return .success(transfer.id)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Pauses a transfer until ``resume(_:)``.
    ///
    /// The queue cancels the attempt of a running transfer, and the method waits for its end, unless the caller's task is
    /// cancelled. The transfer may still complete, or fail, as an upload does that the server may have processed, and must not
    /// process twice (``TransferFailure/Reason/possiblyProcessed``). Has no effect on a completed, failed or paused transfer.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`; or `.file` when the change cannot be stored, and then the transfer
    ///   goes on.
    public func pause(_ id: TransferID) async throws(TransferQueueError) {
        try await self.change(
            id,
            form: { transfer, phase in
                switch phase {
                case .waiting, .delayed, .running, .stopping(.waiting): transfer.phase = .paused
                default: break
                }
            },
            command: { book in book.schedule.pause(id) }
        )
    }

    /// Lets a paused, failed or delayed transfer continue when its turn comes.
    ///
    /// Its count of attempts starts again, unless its attempt is still ending. For a failed upload that the server may have
    /// processed, this is the consent to send it again. Has no effect on a transfer that is waiting, running or completed.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the change cannot be stored.
    public func resume(_ id: TransferID) async throws(TransferQueueError) {
        try await self.change(
            id,
            form: { transfer, phase in
                switch phase {
                // The application knows that the server may process the upload twice.
                case .failed: transfer.mayBeProcessed = false
                case .paused, .delayed, .stopping(.paused): break
                default: return
                }
                transfer.phase = .waiting
                transfer.failedAttemptCount = 0
                transfer.failure = nil
            },
            command: { book in book.resume(id) }
        )
    }

    /// Changes the priority of a transfer, without an effect on transfers that are running.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the change cannot be stored.
    public func setPriority(_ priority: TransferPriority, of id: TransferID) async throws(TransferQueueError) {
        try await self.change(
            id,
            form: { transfer, _ in transfer.description.priority = priority },
            command: { book in
                book.schedule.setPriority(priority, of: id)
                return .done
            }
        )
    }

    /// Pauses all transfers, also those that are added later, until ``resumeAll()``.
    ///
    /// Running transfers end as with ``pause(_:)``. A transfer that ``pause(_:)`` paused stays paused after ``resumeAll()``.
    ///
    /// - Throws: ``TransferQueueError/file(_:)``, as a rule because the change cannot be stored; then the transfers go on.
    public func pauseAll() async throws(TransferQueueError) {
        let stops = try await self.setPaused(true) { book in book.pauseAll() }
        for stop in stops { try await stop.wait() }
    }

    /// Ends the effect of ``pauseAll()``.
    ///
    /// - Throws: ``TransferQueueError/file(_:)`` when the change cannot be stored.
    public func resumeAll() async throws(TransferQueueError) {
        _ = try await self.setPaused(false) { book in
            book.schedule.resumeAll()
            return []
        }
    }

    /// Tells the queue that the network has changed, for example because the system says so.
    ///
    /// Transfers that wait for the network may start at once, and so may those whose last attempt in this process did not reach it.
    /// The queue does not store this.
    public func networkChanged() {
        self.state.update { book in
            let released = book.updateSchedule { $0.networkChanged() }
            for id in released.sorted() { book.note(.transfer(id)) }
        }
    }
}
