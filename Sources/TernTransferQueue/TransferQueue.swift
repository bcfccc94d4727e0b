// SPDX-License-Identifier: Apache-2.0
public import Tern
import TernConnections
import TernErrors
public import TernFoundation

/// A queue of uploads and downloads whose state is on the disk.
///
/// ```swift
/// let queue = try await TransferQueue(directory: folder, client: client)
/// try await queue.add(.download(from: url, to: file))
/// try await queue.runUntilIdle()
/// ```
///
/// If the process is killed, a later process that opens and runs the queue continues the transfers, each where it was if its server
/// allows that. An upload that the server may have processed, and must not process twice, fails instead
/// (``TransferFailure/Reason/possiblyProcessed``). The queue runs several transfers at the same time, by priority and then in the
/// order of adding, tries again after temporary failures, and waits while the network is gone. It transfers nothing before
/// ``run()`` or ``runUntilIdle()`` is called; all other methods work with and without a run, and from any task. A change is on the
/// disk before the method returns, unless the caller's task is cancelled; ``networkChanged()`` stores nothing.
///
/// Only one `TransferQueue` at a time, in this process or another, can use the directory: another one cannot open it until this one
/// is released, or its process ends. A network file system without locks cannot enforce this.
public final class TransferQueue: Sendable {
    /// The directory with the state of the queue.
    public let directory: URL
    /// The limits.
    public let configuration: TransferQueueConfiguration

    let client: Client
    let delegate: (any TransferQueueDelegate)?
    let store: TransferStore
    let state: QueueState

    var clock: any TransportClock { self.client.clock }

    /// Opens the queue in a directory.
    ///
    /// - Parameters:
    ///   - directory: A file URL. The last folder is created if it does not exist, with access for its owner only. It must belong
    ///     to this user, must not be a symbolic link, and no other user may write to it. Use a folder that contains nothing else.
    ///   - client: Performs the transfers. Its `RetryPolicy` does not apply to them, and its cache does not answer them.
    ///   - configuration: The limits.
    ///   - delegate: Provides the requests with their credentials. Retained by the queue.
    /// - Throws: ``TransferQueueError``: `.inUse` when another queue has the directory; `.file` when the directory cannot be used,
    ///   or the queue's own file in it cannot be read; `.newerVersion` when that file has a newer format. A damaged file is
    ///   not an error; see ``damagedFiles``.
    public convenience init(
        directory: URL,
        client: Client,
        configuration: TransferQueueConfiguration = TransferQueueConfiguration(),
        delegate: (any TransferQueueDelegate)? = nil
    ) async throws(TransferQueueError) {
        try await self.init(directory, client, configuration, delegate, fault: nil)
    }

    init(
        _ directory: URL,
        _ client: Client,
        _ configuration: TransferQueueConfiguration,
        _ delegate: (any TransferQueueDelegate)?,
        fault: TransferStore.Fault?
    ) async throws(TransferQueueError) {
        self.directory = directory
        self.configuration = configuration
        self.client = client
        self.delegate = delegate
        (self.store, self.state) = try await TransferQueue.open(directory, configuration, client.clock, fault)
    }

    deinit {
        self.state.use { $0.readers.end() }
        self.store.releaseLock()
    }

    // MARK: What is in the queue

    /// The transfers, in the order of adding, except those whose files are ``damagedFiles``.
    public var transfers: [QueuedTransfer] { self.state.use { $0.transfers } }

    /// The files that the queue could not use when it opened.
    ///
    /// The file of a transfer leaves this list when ``remove(_:)`` deletes it, and the queue's own file leaves it when
    /// ``pauseAll()`` or ``resumeAll()`` replaces that file.
    public var damagedFiles: [DamagedTransferFile] { self.state.use { $0.damagedFiles } }

    /// Whether all transfers are paused: from ``pauseAll()`` until ``resumeAll()``, also in a later process.
    ///
    /// Also `true` if the queue's own file was damaged when the queue opened, because the transfers may have been paused.
    public var isPaused: Bool { self.state.use { $0.schedule.isPaused } }

    /// Whether the network can be reached, as far as the queue knows; `true` when the queue opens.
    ///
    /// Becomes `false` when an attempt does not reach the network, unless a transfer has progressed or got an answer since this
    /// attempt began. Becomes `true` again when a transfer does so, or after ``networkChanged()``.
    public var isNetworkAvailable: Bool { self.state.use { $0.schedule.outage == nil } }

    /// The changes of the queue from now on; each access returns a new sequence.
    public var changes: TransferQueueChanges { TransferQueueChanges(self.state) }

    /// Returns a transfer; `nil` if the queue has no transfer with this identifier.
    public func transfer(_ id: TransferID) -> QueuedTransfer? { self.state.use { $0.transfer(id) } }
}
