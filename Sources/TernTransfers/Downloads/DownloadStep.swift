// SPDX-License-Identifier: Apache-2.0

package enum DownloadStep: Hashable, Sendable {
    /// Report ``DownloadStateMachine/performed()``, or ``DownloadStateMachine/digestChecked(matches:)`` after
    /// ``FileStep/checkDigest(_:)``; after a failure, ``DownloadStateMachine/fileFailed()``.
    case perform(FileStep)
    /// Let workers request and receive bytes, each performing its ``WorkerStep``s one after the other.
    ///
    /// Worker 0 performs this step; a body to receive is that of the response for which the previous workers left. Add others
    /// with ``DownloadStateMachine/addWorker()``. Cancel all when ``DownloadStateMachine/isEnding`` becomes `true`, and report
    /// ``DownloadStateMachine/workersLeft()`` when all have left and everything is written.
    case work(WorkerStep)
    case end(DownloadOutcome)
}

/// An action on the partial file, its record, or their folder; it must be complete before the next one begins, because the order
/// keeps the record true after a crash.
package enum FileStep: Hashable, Sendable {
    /// Write the record to a temporary file, synchronize that file, and rename it to the name of the record.
    case writeRecord(DownloadRecord)
    case discardRecord
    case synchronizeFolder
    case truncate(byteCount: Int64)
    /// Reserve space for this length if the file system can; the file may grow by bytes that do not count.
    case reserve(byteCount: Int64)
    case synchronize
    case checkDigest(TransferDigest)
    case moveIntoPlace
    case deletePartialFile
    /// See ``DownloadStateMachine/confirms``.
    case confirm
}

package enum DownloadOutcome: Hashable, Sendable {
    case complete(byteCount: Int64)
    /// If an action after ``FileStep/moveIntoPlace`` failed, the complete file is in its place.
    case failed(DownloadFailure)
}

package struct DownloadProgress: Hashable, Sendable {
    /// Includes the bytes from earlier calls; never decreases, unless the resource has changed.
    package let completedByteCount: Int64
    package let totalByteCount: Int64?

    package init(completedByteCount: Int64, totalByteCount: Int64?) {
        self.completedByteCount = completedByteCount
        self.totalByteCount = totalByteCount
    }
}
