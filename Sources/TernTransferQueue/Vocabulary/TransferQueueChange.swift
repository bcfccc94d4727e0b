// SPDX-License-Identifier: Apache-2.0

/// What has happened in a queue.
@nonexhaustive
public enum TransferQueueChange: Sendable {
    /// A transfer was added, or its state, its priority or its progress has changed; this is its present value.
    case transfer(QueuedTransfer)
    /// A transfer was removed.
    case removed(TransferID)
    /// The network is gone, or it is back.
    case network(isAvailable: Bool)
    /// All transfers were paused, or resumed.
    case queue(isPaused: Bool)
}
