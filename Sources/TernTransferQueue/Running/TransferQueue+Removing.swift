// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernErrors

extension TransferQueue {
    /// Removes a transfer in any state, or the file of a transfer that is damaged.
    ///
    /// If the transfer is running, it ends first. Deletes the partial file and the record of a download, and the record
    /// of an upload. The file of a completed download stays, and so does the file of an upload.
    ///
    /// When an upload that has begun is removed from the disk, the queue asks the server to delete what it has received
    /// (`DELETE`), with the request that the delegate provides. The method waits for the answer, at most 10 seconds, and
    /// not at all if the task is cancelled. If the server is not reached or refuses, it keeps the part of the upload
    /// until it expires. Neither is an error, because the transfer is removed already. The server is not asked if the
    /// file of the transfer is damaged, or if the process ends before.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the removal cannot be stored.
    public func remove(_ id: TransferID) async throws(TransferQueueError) {
        try await self.remove(id, tellsServer: true)
    }

    /// Removes a transfer like ``remove(_:)``.
    ///
    /// - Parameters:
    ///   - id: The transfer.
    ///   - tellsServer: Whether the server is asked to delete a part of an upload.
    /// - Throws: ``TransferQueueError``.
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
