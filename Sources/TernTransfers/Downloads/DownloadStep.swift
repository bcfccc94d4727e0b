// SPDX-License-Identifier: Apache-2.0

/// The next action of the driver of a download.
package enum DownloadStep: Hashable, Sendable {
    /// Wait this long, then send the request.
    ///
    /// Report the head with ``DownloadStateMachine/received(status:fields:now:using:)``, or the failure with
    /// ``DownloadStateMachine/cut(by:using:)``. Discard the body of the previous response, if any.
    case send(PartRequest, after: Duration)
    /// Perform the action on the files, then report it.
    ///
    /// Report ``DownloadStateMachine/performed()`` or ``DownloadStateMachine/fileFailed()``. After
    /// ``FileStep/checkDigest(_:)``, report ``DownloadStateMachine/digestChecked(matches:)`` instead.
    case perform(FileStep)
    /// Write the body of the response to the partial file.
    ///
    /// Report each piece twice: with ``DownloadStateMachine/arrived(byteCount:)`` before writing the piece, and with
    /// ``DownloadStateMachine/wrote(byteCount:isDue:)`` after writing it. Report the end with
    /// ``DownloadStateMachine/bodyEnded(trailers:using:)`` or ``DownloadStateMachine/cut(by:using:)``.
    case receive(Reception)
    /// Receive several ranges at the same time.
    ///
    /// The response that has begun is that of worker 0, which writes its body as for ``receive(_:)``. Add the other
    /// workers with ``DownloadStateMachine/addWorker()``. Each worker performs its ``WorkerStep``s one after the other,
    /// and reports events with its number. When ``DownloadStateMachine/isEnding`` becomes `true`, cancel all workers.
    /// When all have left, report ``DownloadStateMachine/workersLeft()``.
    case work(Reception)
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

/// The way to receive the body of one response.
package struct Reception: Hashable, Sendable {
    /// The position of the body's first byte in the file.
    package let offset: Int64
    /// The position after the body's last byte; `nil` if the server did not announce it.
    package let end: Int64?
    /// The reason that the bytes so far were dropped; `nil` if none were.
    package let restart: RestartReason?
    /// The reason that an interruption would cost all bytes of this body; `nil` if the download could be continued.
    package let absence: ResourceValidator.Absence?

    /// Creates the way to receive a body.
    package init(offset: Int64, end: Int64?, restart: RestartReason?, absence: ResourceValidator.Absence?) {
        self.offset = offset
        self.end = end
        self.restart = restart
        self.absence = absence
    }
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
