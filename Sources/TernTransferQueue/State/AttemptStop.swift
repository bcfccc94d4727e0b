// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// The end of an attempt that the application has asked for.
struct AttemptStop: Sendable {
    /// Ends the attempt; `nil` if the attempt has not begun yet, and then it ends as soon as it begins.
    let cancel: (@Sendable () -> Void)?
    /// Gets a value when the attempt has ended, and its transfer was removed, if it should be.
    let end: Suspension<Result<Void, TransferQueueError>>

    /// Ends the attempt, and waits until it has ended.
    ///
    /// Returns earlier if the task is cancelled. So a method of a delegate that runs in this attempt may call this
    /// method, because the end of the attempt cancels the task of that method.
    func wait() async throws(TransferQueueError) {
        self.cancel?()
        try await self.end.wait(onCancel: .success(())).get()
    }
}

extension TransferBook {
    /// Returns the end of the attempt of a running transfer, which was told to stop.
    mutating func stop(_ id: TransferID) -> AttemptStop {
        let end = Suspension<Result<Void, TransferQueueError>>()
        self.items[id]?.ends.append(end)
        return AttemptStop(cancel: self.items[id]?.cancel, end: end)
    }
}
