// SPDX-License-Identifier: Apache-2.0
import Tern
import TernErrors
import TernTransport

extension TransferRunner {
    private static let cancellationTimeout = Duration.seconds(10)

    /// Asks the server to delete its part of a removed upload, and then deletes the record; if this process ends before, the next
    /// one only deletes the record.
    func forgetUpload(of transfer: StoredTransfer, tellsServer: Bool) async {
        guard case .upload(let options) = transfer.description.kind else { return }
        let (id, store) = (transfer.id, self.store)
        if tellsServer, transfer.phase != .completed, await store.perform({ store.hasUploadRecord(of: id) }) {
            await self.cancelUpload(transfer, options)
        }
        await store.perform { store.deleteUploadRecord(of: id) }
    }

    private func cancelUpload(_ stored: StoredTransfer, _ options: TransferDescription.UploadOptions) async {
        let transfer = QueuedTransfer(
            id: stored.id,
            description: stored.description,
            state: .waiting,
            progress: TransferProgress(byteCount: stored.byteCount, totalByteCount: stored.totalByteCount),
            failedAttemptCount: stored.failedAttemptCount,
            failure: nil
        )
        let proposed = stored.description.request
        guard let request = try? await self.delegate?.transfer(transfer, willStartWith: proposed) ?? proposed else {
            return
        }
        // Whatever the server answers, the transfer is removed.
        try? await self.client.cancelUpload(
            for: request.timeout(Self.cancellationTimeout),
            fromFile: stored.description.file,
            resuming: options.rules(record: self.store.uploadRecord(of: stored.id)),
            delegate: await self.delegate?.taskDelegate(for: transfer)
        )
    }
}
