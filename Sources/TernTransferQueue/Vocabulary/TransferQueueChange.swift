// SPDX-License-Identifier: Apache-2.0

/// A change of a queue.
@nonexhaustive
public enum TransferQueueChange: Sendable {
    /// A transfer was added, or has changed; this is its present value.
    case transfer(QueuedTransfer)
    /// A transfer was removed.
    case removed(TransferID)
    /// The network is gone, or it is back.
    case network(isAvailable: Bool)
    /// The queue was paused with ``TransferQueue/pauseAll()``, or resumed with ``TransferQueue/resumeAll()``.
    case queue(isPaused: Bool)
}
