// SPDX-License-Identifier: Apache-2.0

/// The next action of the driver of a download.
package enum DownloadStep: Hashable, Sendable {
    /// Perform the action on the files, then report it.
    ///
    /// Report ``DownloadStateMachine/performed()`` or ``DownloadStateMachine/fileFailed()``. After
    /// ``FileStep/checkDigest(_:)``, report ``DownloadStateMachine/digestChecked(matches:)`` instead.
    case perform(FileStep)
    /// Let workers request and receive bytes.
    ///
    /// Worker 0 performs this step. If it receives a body, that is the body of the response with which the last worker
    /// left. Add other workers with ``DownloadStateMachine/addWorker()``, which may be none. Each worker performs its
    /// ``WorkerStep``s one after the other, and reports events with its number. When
    /// ``DownloadStateMachine/isEnding`` becomes `true`, cancel all workers. When all have left and everything is
    /// written, report ``DownloadStateMachine/workersLeft()``.
    case work(WorkerStep)
    /// The call is over.
    case end(DownloadOutcome)
}

/// An action on the partial file, its record, or their folder.
///
/// Each action must be complete before the next one begins, because their order keeps the record true after a crash.
package enum FileStep: Hashable, Sendable {
    /// Write the record to a temporary file, synchronize that file, and rename it to the name of the record.
    case writeRecord(DownloadRecord)
    /// Delete the record, if it exists.
    case discardRecord
    /// Synchronize the folder, so that its new names and its deletions are on the disk.
    case synchronizeFolder
    /// Set the length of the partial file.
    case truncate(byteCount: Int64)
    /// Reserve the space for this length of the partial file, if the file system can.
    ///
    /// The file may get this length. Its new bytes are zeros, and do not count.
    case reserve(byteCount: Int64)
    /// Synchronize the data of the partial file with the disk.
    case synchronize
    /// Read the whole partial file, and compare its digest with this one.
    case checkDigest(TransferDigest)
    /// Rename the partial file to the destination.
    case moveIntoPlace
    /// Delete the partial file, if it exists.
    case deletePartialFile
    /// Let the owner of the call store that the complete file is in its place; see ``DownloadStateMachine/confirms``.
    case confirm
}

/// The end of a download.
package enum DownloadOutcome: Hashable, Sendable {
    /// The complete file is in its place.
    case complete(byteCount: Int64)
    /// The download failed for this reason.
    ///
    /// If only the last actions on the files failed, the complete file is in its place.
    case failed(DownloadFailure)
}

/// The progress of a download.
package struct DownloadProgress: Hashable, Sendable {
    /// The number of bytes that have arrived, including those from earlier calls.
    ///
    /// Never decreases, unless the resource has changed.
    package let completedByteCount: Int64
    /// The length of the file; `nil` while it is not known.
    package let totalByteCount: Int64?

    /// Creates a progress.
    package init(completedByteCount: Int64, totalByteCount: Int64?) {
        self.completedByteCount = completedByteCount
        self.totalByteCount = totalByteCount
    }
}
