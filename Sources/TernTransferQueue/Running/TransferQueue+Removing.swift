// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernErrors

extension TransferQueue {
    /// Removes a transfer in any state, or the damaged file of a transfer.
    ///
    /// A running transfer ends first. The queue deletes the partial file of a download, and the records; the file of a completed
    /// download and the file of an upload stay. If the records say that the server has a part of an unfinished upload, the queue
    /// then asks it to delete the part (`DELETE`), with the request that the delegate provides, and waits for the answer for at
    /// most 10 seconds, or until the task is cancelled. If that fails, or if the process ends first, the server may keep the part,
    /// which is not an error. If the transfer's file is damaged, a partial file stays, and the server is not asked.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the removal cannot be stored.
    public func remove(_ id: TransferID) async throws(TransferQueueError) {
        try await self.remove(id, tellsServer: true)
    }

    /// Removes a transfer like ``remove(_:)``, and asks the server to delete a part of an upload only if `tellsServer`.
    package func remove(_ id: TransferID, tellsServer: Bool) async throws(TransferQueueError) {
        let (state, store) = (self.state, self.store)
        let outcome = await store.perform { () -> Result<TransferBook.Removal, TransferQueueError> in
            if state.use({ $0.isDamaged(id) }) {
                return Self.removeDamagedFile(of: id, store, state).map { .unknown }
            }
            let removal = state.update { $0.beginRemoving(id, tellsServer: tellsServer) }
            switch removal {
            case .unknown: return .failure(.unknownTransfer(id))
            case .stop: return .success(removal)
            case .remove(let transfer): return Self.removeFiles(of: transfer, store, state).map { removal }
            }
        }
        switch try outcome.get() {
        case .unknown: break
        case .stop(let stop): try await stop.wait()
        case .remove(let transfer): await self.runner.forgetUpload(of: transfer, tellsServer: tellsServer)
        }
    }
}
