// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernErrors
import TernFoundation

extension TransferQueue {
    static func open(
        _ directory: URL,
        _ configuration: TransferQueueConfiguration,
        _ clock: any TransportClock,
        _ fault: TransferStore.Fault?
    ) async throws(TransferQueueError) -> (TransferStore, QueueState) {
        let store: TransferStore
        do throws(FileFailure) {
            store = try await TransferStore.open(at: directory, fault: fault)
        } catch {
            throw error == .inUse ? .inUse : .file(error)
        }
        let book = await store.perform { Self.book(of: store, configuration, clock) }
        return (store, QueueState(try book.get()))
    }

    private static func book(
        of store: TransferStore,
        _ configuration: TransferQueueConfiguration,
        _ clock: any TransportClock
    ) -> Result<TransferBook, TransferQueueError> {
        let stored: StoredTransfers
        do throws(FileFailure) {
            stored = try store.load()
        } catch {
            return .failure(.file(error))
        }
        if let version = stored.newerVersion { return .failure(.newerVersion(version)) }
        var book = TransferBook(stored, configuration, now: clock.now, date: clock.date)
        for id in stored.uploads where book.hasNoUse(forUploadRecordOf: id) { store.deleteUploadRecord(of: id) }
        for transfer in stored.transfers { Self.settle(transfer, &book, store) }
        for transfer in stored.transfers {
            // The clock was set back. Without the new end on the disk, each process would wait from its own beginning.
            guard case .delayed = transfer.phase, let item = book.items[transfer.id], item.stored != transfer else {
                continue
            }
            try? store.write(item.stored)  // if this cannot be written, the next process waits for the same time
        }
        return .success(book)
    }

    private static func settle(_ transfer: StoredTransfer, _ book: inout TransferBook, _ store: TransferStore) {
        switch (transfer.description.kind, transfer.phase) {
        case (.download, .completed): Client.discardRecord(ofCompleteDownload: transfer.description.file)
        case (.upload, .waiting), (.upload, .delayed), (.upload, .paused):
            // The request may have reached the server, and the server has not named the upload, as far as the disk
            // knows. So nothing says how far it came.
            if transfer.mayBeProcessed, !store.hasUploadRecord(of: transfer.id) {
                book.failAsPossiblyProcessed(transfer.id)
                // If this cannot be written, the next process finds out the same.
                if let failed = book.items[transfer.id]?.stored { try? store.write(failed) }
            }
        default: break
        }
    }
}

extension TransferBook {
    fileprivate func hasNoUse(forUploadRecordOf id: TransferID) -> Bool {
        // If the file of the transfer is damaged, a person may still repair it.
        guard !self.damagedFiles.contains(where: { $0.id == id }) else { return false }
        return self.items[id].map { $0.stored.phase == .completed } ?? true
    }

    fileprivate mutating func failAsPossiblyProcessed(_ id: TransferID) {
        let failure = AttemptResult.possiblyProcessed(nil).failure
        self.items[id]?.failure = failure
        self.items[id]?.stored.failure = failure.map { StoredTransfer.Failure($0) }
        self.items[id]?.stored.phase = .failed
        self.schedule.update(id) { $0.phase = .failed }
    }
}
