// SPDX-License-Identifier: Apache-2.0
import TernConnections

struct AttemptStop: Sendable {
    /// `nil` if the attempt has not begun yet; then it ends as soon as it begins.
    let cancel: (@Sendable () -> Void)?
    let end: Suspension<Result<Void, TransferQueueError>>

    /// Cancels the attempt, and waits for its end, or until the task is cancelled: so a delegate's method that runs in this attempt
    /// may call it, because its task is cancelled with the attempt.
    func wait() async throws(TransferQueueError) {
        self.cancel?()
        try await self.end.wait(onCancel: .success(())).get()
    }
}

extension TransferBook {
    mutating func stop(_ id: TransferID) -> AttemptStop {
        let end = Suspension<Result<Void, TransferQueueError>>()
        self.items[id]?.ends.append(end)
        return AttemptStop(cancel: self.items[id]?.cancel, end: end)
    }
}
