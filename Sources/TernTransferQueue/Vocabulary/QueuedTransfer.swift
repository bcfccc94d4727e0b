// SPDX-License-Identifier: Apache-2.0
public import Tern
public import TernFoundation

/// A transfer in a queue, as it is at one moment.
public struct QueuedTransfer: Identifiable, Sendable {
    /// The state of a transfer.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// The transfer waits for its turn, for ``TransferQueue/run()``, for the network, or for ``TransferQueue/resumeAll()``.
        case waiting
        /// The transfer is running.
        case running
        /// An attempt failed. The next one begins about at this date, or when the network is back.
        case delayed(until: Date)
        /// The application has paused the transfer.
        case paused
        /// The file is in its place, or the server has accepted it.
        case completed
        /// The transfer does not go on by itself until ``TransferQueue/resume(_:)``; ``QueuedTransfer/failure`` has the details.
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
    /// Not all bytes of an interrupted transfer may count for its next attempt. When another process opens the queue, the value
    /// is that of the last time when the transfer stopped.
    public internal(set) var progress: TransferProgress
    /// The number of failed attempts that count, since the last progress or since ``TransferQueue/resume(_:)``.
    ///
    /// After 1 MiB of new bytes, the count starts again. An attempt that did not reach the network does not count.
    public internal(set) var failedAttemptCount: Int
    /// The failure of the last attempt that failed; `nil` if none has failed since ``TransferQueue/resume(_:)``, or if the
    /// transfer is complete.
    public internal(set) var failure: TransferFailure?
}
