// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernErrors

/// The steps of the commands, one command after the other: a change is first on the disk, and then in memory. Other events, such as
/// the start of a transfer, may come between.
extension TransferQueue {
    /// Changes a transfer on the disk by `form`, and then in memory by `command`; does nothing if `form` changes nothing.
    func change(
        _ id: TransferID,
        form: @escaping @Sendable (inout StoredTransfer, TransferSchedule.Phase) -> Void,
        command: @escaping @Sendable (inout TransferBook) -> TransferSchedule.Reaction
    ) async throws(TransferQueueError) {
        let (state, store) = (self.state, self.store)
        let outcome = await store.perform { () -> Result<AttemptStop?, TransferQueueError> in
            let found = state.use { book in (book.items[id]?.stored, book.schedule.entries[id]?.phase) }
            guard let before = found.0, let phase = found.1 else { return .failure(.unknownTransfer(id)) }
            var transfer = before
            form(&transfer, phase)
            guard transfer != before else { return .success(nil) }
            do throws(TransferQueueError) {
                try Self.storing { () throws(FileFailure) in try store.write(transfer) }
            } catch {
                return .failure(error)
            }
            let stop = state.update { [transfer] book in
                book.store(transfer)
                let reaction = command(&book)
                book.note(.transfer(id))
                return reaction == .stop ? book.stop(id) : nil
            }
            return .success(stop)
        }
        try await outcome.get()?.wait()
    }

    func setPaused(
        _ isPaused: Bool,
        _ command: @escaping @Sendable (inout TransferBook) -> [AttemptStop]
    ) async throws(TransferQueueError) -> [AttemptStop] {
        let (state, store) = (self.state, self.store)
        let outcome = await store.perform { () -> Result<[AttemptStop], TransferQueueError> in
            var queue = state.use { $0.queue }
            queue.isPaused = isPaused
            do throws(TransferQueueError) {
                // This also replaces a damaged file.
                try Self.storing { [queue] () throws(FileFailure) in try store.write(queue) }
            } catch {
                return .failure(error)
            }
            let stops = state.update { [queue] book in
                book.queue = queue
                book.damagedFiles.removeAll { $0.id == nil }
                book.note(.queue)
                return command(&book)
            }
            return .success(stops)
        }
        let stops = try outcome.get()
        for stop in stops { stop.cancel?() }
        return stops
    }

    /// Deletes the files that the queue keeps about a transfer, except the record of an upload, which
    /// ``TransferRunner/forgetUpload(of:tellsServer:)`` needs.
    static func removeFiles(
        of transfer: StoredTransfer,
        _ store: TransferStore,
        _ state: QueueState
    ) -> Result<Void, TransferQueueError> {
        let isComplete = transfer.phase == .completed
        do throws(TransferQueueError) {
            try Self.reserve(transfer.id, store, state)
            // The partial file is the first to go: without its transfer, it would stay forever.
            if case .download = transfer.description.kind, !isComplete {
                Client.discardUnfinishedDownload(to: transfer.description.file)
            }
            try Self.storing { () throws(FileFailure) in try store.delete(transfer.id) }
        } catch {
            // The transfer stays in the queue, as it is on the disk.
            state.update { $0.cancelRemoving(transfer.id) }
            return .failure(error)
        }
        state.update { $0.remove(transfer.id) }
        return .success(())
    }

    static func removeDamagedFile(
        of id: TransferID,
        _ store: TransferStore,
        _ state: QueueState
    ) -> Result<Void, TransferQueueError> {
        do throws(TransferQueueError) {
            try Self.reserve(id, store, state)
            try Self.storing { () throws(FileFailure) in try store.delete(id) }
            store.deleteUploadRecord(of: id)
        } catch {
            return .failure(error)
        }
        state.update { $0.remove(id) }
        return .success(())
    }

    private static func reserve(
        _ id: TransferID,
        _ store: TransferStore,
        _ state: QueueState
    ) throws(TransferQueueError) {
        var (queue, next) = state.use { ($0.queue, $0.nextNumber) }
        guard id.number >= queue.next, id.number + 1 == next else { return }
        queue.next = next
        try Self.storing { [queue] () throws(FileFailure) in try store.write(queue) }
        state.use { [queue] in $0.queue = queue }
    }

    static func storing(_ work: () throws(FileFailure) -> Void) throws(TransferQueueError) {
        do throws(FileFailure) {
            try work()
        } catch {
            throw .file(error)
        }
    }
}

extension TransferBook {
    func isDamaged(_ id: TransferID) -> Bool { self.damagedFiles.contains { $0.id == id } }

    func newTransfer(_ description: TransferDescription) -> Result<StoredTransfer, TransferQueueError> {
        let limit = max(1, self.configuration.maximumCount)
        guard self.items.count < limit, let id = TransferID(self.nextNumber) else {
            return .failure(.full(limit: limit))
        }
        if case .download = description.kind, let other = self.download(to: description.file) {
            return .failure(.unsuitable(.destinationInQueue(other)))
        }
        let transfer = StoredTransfer(id, description)
        guard transfer.encoded.count <= StoredTransfer.maximumNewByteCount else {
            return .failure(.unsuitable(.tooLong))
        }
        return .success(transfer)
    }
}
