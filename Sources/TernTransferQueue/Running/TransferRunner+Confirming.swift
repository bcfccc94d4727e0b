// SPDX-License-Identifier: Apache-2.0
import Tern
import TernErrors

/// Stores that a transfer is complete, before the call deletes its record: if the process ends before, the record tells the next
/// attempt that nothing is missing; if it ends after, the file of the transfer does. So nothing is transferred twice.
extension TransferRunner {
    func hooks(for id: TransferID) -> TransferHooks {
        let (state, store) = (self.state, self.store)
        return TransferHooks(
            progress: { progress, safeByteCount in
                let isBack = state.use { book in book.transferred(id, progress, safeByteCount: safeByteCount) }
                // Most progress has no effect on the schedule.
                if isBack { state.wake() }
            },
            confirm: { byteCount async throws(FileFailure) in
                state.use { $0.items[id]?.progress = TransferProgress(byteCount: byteCount, totalByteCount: byteCount) }
                try await Self.confirm(id, state, store)
            }
        )
    }

    private static func confirm(
        _ id: TransferID,
        _ state: QueueState,
        _ store: TransferStore
    ) async throws(FileFailure) {
        let outcome = await store.perform { () -> Result<Void, FileFailure> in
            guard let transfer = state.use({ book in book.completed(id) }) else { return .success(()) }
            do throws(FileFailure) {
                try store.write(transfer)
                state.use { book in book.confirm(transfer) }
                return .success(())
            } catch {
                state.use { $0.items[id]?.isUnconfirmed = true }
                return .failure(error)
            }
        }
        try outcome.get()
    }

    func confirmLater(_ id: TransferID) async -> AttemptResult {
        do throws(FileFailure) {
            try await Self.confirm(id, self.state, self.store)
        } catch {
            return .notStored(error)
        }
        let (state, store) = (self.state, self.store)
        await store.perform {
            guard let description = state.use({ $0.items[id]?.stored.description }) else { return }
            Self.discardRecord(of: id, description, store)
        }
        return .completed
    }

    func setPossiblyProcessed(_ value: Bool, _ id: TransferID) async throws(FileFailure) {
        let (state, store) = (self.state, self.store)
        let outcome = await store.perform { () -> Result<Void, FileFailure> in
            guard var transfer = state.use({ $0.items[id]?.stored }) else { return .success(()) }
            if transfer.mayBeProcessed != value {
                transfer.mayBeProcessed = value
                do throws(FileFailure) {
                    try store.write(transfer)
                } catch {
                    return .failure(error)
                }
            }
            state.use { book in
                book.items[id]?.stored.mayBeProcessed = value
                book.items[id]?.mayBeProcessed = value
            }
            return .success(())
        }
        try outcome.get()
    }

    static func discardRecord(of id: TransferID, _ description: TransferDescription, _ store: TransferStore) {
        switch description.kind {
        case .download: Client.discardRecord(ofCompleteDownload: description.file)
        case .upload: store.deleteUploadRecord(of: id)
        }
    }
}

extension TransferBook {
    enum Confirmation: Sendable {
        case stored
        case notStored
        case none
    }

    func beginning(of id: TransferID) -> (transfer: QueuedTransfer, isUnconfirmed: Bool)? {
        guard let transfer = self.transfer(id), let item = self.items[id] else { return nil }
        return (transfer, item.isUnconfirmed)
    }

    /// Returns whether the network was gone, and is back.
    mutating func transferred(_ id: TransferID, _ progress: TransferProgress, safeByteCount: Int64) -> Bool {
        let wasGone = self.schedule.outage != nil
        self.items[id]?.progress = progress
        self.updateSchedule { $0.transferred(id, byteCount: safeByteCount) }
        self.note(.transfer(id))
        return wasGone && self.schedule.outage == nil
    }

    func completed(_ id: TransferID) -> StoredTransfer? {
        guard let item = self.items[id] else { return nil }
        var stored = item.stored
        stored.phase = .completed
        stored.failure = nil
        stored.failedAttemptCount = 0
        stored.mayBeProcessed = false
        (stored.byteCount, stored.totalByteCount) = (item.progress.byteCount, item.progress.totalByteCount)
        return stored
    }

    mutating func confirm(_ stored: StoredTransfer) {
        self.store(stored)
        self.items[stored.id]?.isUnconfirmed = false
        self.items[stored.id]?.mayBeProcessed = false
    }

    func confirmation(of id: TransferID) -> Confirmation {
        guard let item = self.items[id] else { return .none }
        if item.isUnconfirmed { return .notStored }
        return item.stored.phase == .completed ? .stored : .none
    }
}
