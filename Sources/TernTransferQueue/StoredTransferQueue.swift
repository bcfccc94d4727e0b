// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Tern
import TernConnections
import TernErrors
import TernFiles
public import TernFoundation

/// A queue that was read from the disk.
public struct StoredTransferQueue: Sendable {
    /// The transfers, in the order of adding.
    ///
    /// A transfer that a queue is performing usually has the state and the progress from before it started, such as `waiting`.
    public let transfers: [QueuedTransfer]
    /// The files that cannot be used.
    public let damagedFiles: [DamagedTransferFile]
    /// Whether all transfers are paused; see ``TransferQueue/isPaused``.
    public let isPaused: Bool
}

extension TransferQueue {
    /// Reads the queue in a directory without its lock, so another process may use the queue meanwhile.
    ///
    /// - Parameter directory: The directory of a queue.
    /// - Returns: The queue; without transfers if the directory does not exist.
    /// - Throws: ``TransferQueueError``: `.file` when the directory, or the queue's own file in it, cannot be read; `.newerVersion`
    ///   when the queue's own file has a newer format.
    public static func stored(in directory: URL) async throws(TransferQueueError) -> StoredTransferQueue {
        let outcome = await DispatchQueue.global().perform { () -> Result<StoredTransfers, FileFailure> in
            do throws(FileFailure) {
                return .success(try StoredTransfers(in: OpenFolder(path: directory.path)))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let stored):
            if let version = stored.newerVersion { throw .newerVersion(version) }
            let clock = SystemClock()
            let book = TransferBook(stored, TransferQueueConfiguration(), now: clock.now, date: clock.date)
            return StoredTransferQueue(
                transfers: book.transfers,
                damagedFiles: book.damagedFiles,
                isPaused: stored.queue.isPaused
            )
        case .failure(.folderNotFound):
            return StoredTransferQueue(transfers: [], damagedFiles: [], isPaused: false)
        case .failure(let failure): throw .file(failure)
        }
    }
}
