// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests

/// Performs the attempts of a queue's transfers, without a reference to the queue, so that a task that has just ended does not
/// retain it.
struct TransferRunner: Sendable {
    let client: Client
    let delegate: (any TransferQueueDelegate)?
    let store: TransferStore
    let state: QueueState

    var clock: any TransportClock { self.client.clock }

    func perform(_ id: TransferID) async {
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

    /// Records the end of an attempt on the disk and in the schedule, and then passes the answer of an upload to the delegate once.
    private func finish(_ id: TransferID, _ result: AttemptResult) async {
        let (clock, state, store) = (self.clock, self.state, self.store)
        let (ends, outcome, answered, removed) = await store.perform {
            let (change, ends, answer, tellsServer) = state.update { book in
                let change = book.end(id, result, now: clock.now, date: clock.date)
                let (ends, answer) = book.takeEnds(id)
                return (change, ends, answer, book.items[id]?.tellsServer ?? false)
            }
            var removed: (transfer: StoredTransfer, tellsServer: Bool)?
            var outcome = Result<Void, TransferQueueError>.success(())
            switch change {
            case .none: break
            // If it cannot be written, the form on the disk is older, and a later process performs the attempt again.
            case .store(let transfer): try? store.write(transfer)
            case .remove(let transfer):
                outcome = TransferQueue.removeFiles(of: transfer, store, state)
                if case .success = outcome { removed = (transfer, tellsServer) }
            }
            let answered = answer.flatMap { answer in state.use { $0.transfer(id) }.map { ($0, answer) } }
            return (ends, outcome, answered, removed)
        }
        if let removed { await self.forgetUpload(of: removed.transfer, tellsServer: removed.tellsServer) }
        if let (transfer, answer) = answered { await self.delegate?.transfer(transfer, didUpload: answer) }
        for end in ends { end.resume(with: outcome) }
    }
}
