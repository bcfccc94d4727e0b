// SPDX-License-Identifier: Apache-2.0
public import Tern

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A queue of uploads and downloads whose state is on the disk.
///
/// ```swift
/// let queue = try await TransferQueue(directory: folder, client: client)
/// try await queue.add(.download(from: url, to: file))
/// try await queue.runUntilIdle()
/// ```
///
/// A process that is killed and started again goes on with all transfers, each where it was. The queue runs several
/// transfers at the same time, by priority and then in the order of adding, tries again after failures, and waits while
/// the network is gone.
///
/// The queue transfers nothing before ``run()`` or ``runUntilIdle()`` is called. All other methods work with and without
/// a run, and from any task. A change is on the disk before the method returns, except for ``networkChanged()``.
///
/// One queue has the directory at a time. A lock keeps other queues and other processes out. It ends when the queue is
/// released, and with the process, however that ends.
public final class TransferQueue: Sendable {
    /// The directory with the state of the queue.
    public let directory: URL
    /// The limits.
    public let configuration: TransferQueueConfiguration

    /// Opens the queue in a directory.
    ///
    /// - Parameters:
    ///   - directory: A file URL. The last folder is created if it does not exist, with access for its owner only; it
    ///     must belong to this user, and no other user may write to it. Use a folder for nothing else.
    ///   - client: Performs the transfers. Its `RetryPolicy` and its cache do not apply to them.
    ///   - configuration: The limits. Defaults to `TransferQueueConfiguration()`.
    ///   - delegate: Provides the requests with their credentials. Retained by the queue. Defaults to `nil`.
    /// - Throws: ``TransferQueueError``: `.inUse` when another queue has the directory; `.file` when the directory
    ///   cannot be used; `.newerVersion` when a later version of Tern has written the state of the queue. A file of a
    ///   transfer that cannot be used is not an error; see ``damagedFiles``.
    public init(
        directory: URL,
        client: Client,
        configuration: TransferQueueConfiguration = TransferQueueConfiguration(),
        delegate: (any TransferQueueDelegate)? = nil
    ) async throws(TransferQueueError) {
        self.directory = directory
        self.configuration = configuration
        preconditionFailure("not implemented yet")
    }

    /// Returns the transfers in a directory, as they are on the disk, without a lock.
    ///
    /// Another process may own the directory meanwhile. Its running transfers are `waiting` here, with the progress of
    /// the last time when they stopped.
    ///
    /// - Parameter directory: The directory of a queue.
    /// - Returns: The transfers, in the order of adding; none if the directory does not exist. Files that cannot be used
    ///   are left out.
    /// - Throws: ``TransferQueueError/file(_:)``.
    public static func storedTransfers(in directory: URL) async throws(TransferQueueError) -> [QueuedTransfer] {
        preconditionFailure("not implemented yet")
    }

    // MARK: What is in the queue

    /// All transfers, in the order of adding.
    public var transfers: [QueuedTransfer] { preconditionFailure("not implemented yet") }

    /// The files that could not be used when the queue opened, and were not removed since.
    public var damagedFiles: [DamagedTransferFile] { preconditionFailure("not implemented yet") }

    /// Whether ``pauseAll()`` was called last, in this process or an earlier one, and not ``resumeAll()``.
    ///
    /// Also `true` if the file with the state of the queue is damaged, so that nothing runs that was paused.
    public var isPaused: Bool { preconditionFailure("not implemented yet") }

    /// Whether the network could be reached, as far as the queue knows.
    ///
    /// `true` until a transfer fails because the network is gone.
    public var isNetworkAvailable: Bool { preconditionFailure("not implemented yet") }

    /// What happens in the queue from now on.
    ///
    /// Each use begins another sequence.
    public var changes: TransferQueueChanges { preconditionFailure("not implemented yet") }

    /// Returns a transfer; `nil` if the queue has no transfer with this identifier.
    public func transfer(_ id: TransferID) -> QueuedTransfer? { preconditionFailure("not implemented yet") }

    // MARK: Changing the queue

    /// Adds a transfer at the end of the queue.
    ///
    /// - Parameter description: What to transfer.
    /// - Returns: The identifier of the transfer, which is on the disk.
    /// - Throws: ``TransferQueueError``: `.unsuitable` when the description cannot be used, such as because it contains
    ///   a secret; `.full` when the queue has the maximum number of transfers; `.file` when it cannot be stored.
    @discardableResult
    public func add(_ description: TransferDescription) async throws(TransferQueueError) -> TransferID {
        preconditionFailure("not implemented yet")
    }

    /// Pauses a transfer until ``resume(_:)``.
    ///
    /// If the transfer is running, it ends as when its task is cancelled, and later goes on where it was. An upload that
    /// the server may have processed, and must not process twice, becomes ``QueuedTransfer/State/failed(_:)`` instead
    /// (``TransferFailure/Reason/possiblyProcessed``). Has no effect on a transfer that is completed, failed or paused.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the change cannot be stored. Then the
    ///   transfer goes on.
    public func pause(_ id: TransferID) async throws(TransferQueueError) { preconditionFailure("not implemented yet") }

    /// Lets a paused, failed or delayed transfer go on as soon as it is its turn.
    ///
    /// The count of attempts starts again. For an upload that the server may have processed, this is the consent to send
    /// it again. Has no effect on a transfer that is waiting, running or completed.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the change cannot be stored.
    public func resume(_ id: TransferID) async throws(TransferQueueError) { preconditionFailure("not implemented yet") }

    /// Removes a transfer in any state, or the file of a transfer that is damaged.
    ///
    /// If the transfer is running, it ends first. Deletes the partial file and the record of a download, and the record
    /// of an upload. The file of a completed download stays, and so does the file of an upload. The server is not told,
    /// so it may keep the part of an upload until it expires.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the removal cannot be stored.
    public func remove(_ id: TransferID) async throws(TransferQueueError) { preconditionFailure("not implemented yet") }

    /// Changes the priority of a transfer.
    ///
    /// Has no effect on transfers that are running.
    ///
    /// - Throws: ``TransferQueueError``: `.unknownTransfer`, or `.file` when the change cannot be stored.
    public func setPriority(_ priority: TransferPriority, of id: TransferID) async throws(TransferQueueError) {
        preconditionFailure("not implemented yet")
    }

    /// Pauses all transfers, those that are added later included, until ``resumeAll()``.
    ///
    /// Transfers that are running end as with ``pause(_:)``, and wait. A transfer that was paused by itself stays so
    /// after ``resumeAll()``.
    ///
    /// - Throws: ``TransferQueueError/file(_:)`` when the change cannot be stored. Then the transfers go on.
    public func pauseAll() async throws(TransferQueueError) { preconditionFailure("not implemented yet") }

    /// Ends the effect of ``pauseAll()``.
    ///
    /// - Throws: ``TransferQueueError/file(_:)`` when the change cannot be stored.
    public func resumeAll() async throws(TransferQueueError) { preconditionFailure("not implemented yet") }

    /// Tells the queue that the network has changed, for example because the system says so.
    ///
    /// Transfers that wait for the network, or for the next attempt after a failure of the network, go on at once.
    public func networkChanged() { preconditionFailure("not implemented yet") }

    // MARK: Running

    /// Performs the transfers until the task is cancelled.
    ///
    /// When the task is cancelled, all transfers end; what they have done is on the disk when the method returns. The
    /// client finishes no transfer in the background.
    ///
    /// - Throws: ``TransferQueueError/alreadyRunning`` when another call of this method or of ``runUntilIdle()`` has not
    ///   returned. Cancellation is not an error.
    public func run() async throws(TransferQueueError) { preconditionFailure("not implemented yet") }

    /// Performs the transfers until no transfer can go on by itself: each is completed, failed or paused.
    ///
    /// Waits for transfers that are delayed, and for the network. If ``isPaused`` is `true`, returns at once. Cancelling
    /// the task has the same effect as with ``run()``.
    ///
    /// - Throws: ``TransferQueueError/alreadyRunning`` when another call of this method or of ``run()`` has not returned.
    public func runUntilIdle() async throws(TransferQueueError) { preconditionFailure("not implemented yet") }
}
