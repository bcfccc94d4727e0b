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
/// A process that is killed and started again continues all transfers, each where it was if its server allows that. The queue
/// runs several transfers at the same time, by priority and then in the order of adding, tries again after failures, and waits
/// while the network is gone. It transfers nothing before ``run()`` or ``runUntilIdle()`` is called; all other methods work with
/// and without a run, and from any task. A change is on the disk before the method returns, except for ``networkChanged()``.
///
/// Only one queue of all processes can use the directory, until it is released, or its process ends.
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
    ///   - directory: A file URL. The last folder is created if it does not exist, with access for its owner only; it must belong
    ///     to this user, and no other user may write to it. Use a folder that contains nothing else.
    ///   - client: Performs the transfers. Its `RetryPolicy` and its cache do not apply to them.
    ///   - configuration: The limits.
    ///   - delegate: Provides the requests with their credentials. Retained by the queue.
    /// - Throws: ``TransferQueueError``: `.inUse` when another queue has the directory; `.file` when the directory cannot be
    ///   used; `.newerVersion` when a later version of Tern has written the state of the queue. A file of a transfer that cannot
    ///   be used is not an error; see ``damagedFiles``.
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

    /// All transfers, in the order of adding.
    public var transfers: [QueuedTransfer] { self.state.use { $0.transfers } }

    /// The files that could not be used when the queue opened, and were not removed since.
    public var damagedFiles: [DamagedTransferFile] { self.state.use { $0.damagedFiles } }

    /// Whether ``pauseAll()`` was called last, in any process, and not ``resumeAll()``; also `true` if the file with the state of
    /// the queue is damaged, so that nothing runs that was paused.
    public var isPaused: Bool { self.state.use { $0.schedule.isPaused } }

    /// Whether the network could be reached; `true` until a transfer fails because the network is gone.
    public var isNetworkAvailable: Bool { self.state.use { $0.schedule.outage == nil } }

    /// The changes of the queue from now on; each use begins another sequence.
    public var changes: TransferQueueChanges { TransferQueueChanges(self.state) }

    /// Returns a transfer; `nil` if the queue has no transfer with this identifier.
    public func transfer(_ id: TransferID) -> QueuedTransfer? { self.state.use { $0.transfer(id) } }
}
