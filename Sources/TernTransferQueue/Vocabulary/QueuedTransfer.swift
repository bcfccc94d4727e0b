// SPDX-License-Identifier: Apache-2.0
public import Tern
public import TernFoundation

/// A transfer in a queue, as it is at one moment.
public struct QueuedTransfer: Identifiable, Sendable {
    /// The state of a transfer.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// The transfer waits, for example for its turn, ``TransferQueue/run()``, the network, or ``TransferQueue/resumeAll()``.
        case waiting
        /// The transfer is running.
        case running
        /// An attempt failed. The next one may begin at about this date, or earlier, such as when the network is back.
        case delayed(until: Date)
        /// The application has paused the transfer with ``TransferQueue/pause(_:)``.
        case paused
        /// The file is in its place, or the server has received it.
        case completed
        /// The transfer does not go on until ``TransferQueue/resume(_:)``; ``QueuedTransfer/failure`` has the details.
        case failed(TransferFailure.Reason)
    }

    /// The identifier.
    public let id: TransferID
    /// The description of the transfer.
    public internal(set) var description: TransferDescription
    /// The state.
    public internal(set) var state: State
    /// The progress, in bytes of the whole file.
    ///
    /// After an interruption, the next attempt may have to transfer some of these bytes again. When another process opens the
    /// queue, the value is the last that was stored, usually at the end of an attempt.
    public internal(set) var progress: TransferProgress
    /// The number of failed attempts that count towards ``TransferQueueConfiguration/maximumAttemptCount``.
    ///
    /// After progress, and usually after ``TransferQueue/resume(_:)``, the count starts again. An attempt does not count if it did
    /// not reach the network, if the queue could not write its own files, or if the failure is permanent, such as a 404.
    public internal(set) var failedAttemptCount: Int
    /// The failure of the last failed attempt; `nil` if no attempt has failed since the transfer was added or resumed, or if
    /// it is complete.
    public internal(set) var failure: TransferFailure?
}
