// SPDX-License-Identifier: Apache-2.0

/// The record that a call found on the disk.
package enum StoredRecord: Hashable, Sendable {
    /// There is no record.
    case absent
    /// There is a file in the place of the record, but it is not a usable record.
    case unusable(DownloadRecord.Problem)
    /// There is a record.
    case usable(DownloadRecord)
}

/// The files that a call found on the disk.
package struct FoundFiles: Hashable, Sendable {
    /// A file at the destination.
    package struct Destination: Hashable, Sendable {
        /// The length of the file.
        package var byteCount: Int64
        /// The number of the file in its file system.
        package var number: UInt64

        /// Creates the description of a file.
        package init(byteCount: Int64, number: UInt64) {
            self.byteCount = byteCount
            self.number = number
        }
    }

    /// The length of the partial file; `nil` if there is none.
    package var partialByteCount: Int64?
    /// The number of the partial file in its file system, if it exists.
    package var partialNumber: UInt64?
    /// The file at the destination; `nil` if there is none.
    package var destination: Destination?

    /// Creates the description of the files.
    ///
    /// - Parameters:
    ///   - partialByteCount: The length of the partial file. Defaults to `nil`: there is none.
    ///   - partialNumber: The number of the partial file. Defaults to `nil`.
    ///   - destination: The file at the destination. Defaults to `nil`: there is none.
    package init(partialByteCount: Int64? = nil, partialNumber: UInt64? = nil, destination: Destination? = nil) {
        self.partialByteCount = partialByteCount
        self.partialNumber = partialNumber
        self.destination = destination
    }

    /// Returns whether an earlier call has moved the complete file into its place, and ended before it deleted the
    /// record.
    func hasInPlace(_ record: DownloadRecord, expecting digest: TransferDigest?) -> Bool {
        // A call that was killed may have left an empty partial file beside the complete one.
        guard self.partialByteCount ?? 0 == 0, record.isWhole, let number = record.fileNumber,
            let destination = self.destination
        else { return false }
        return destination.number == number && destination.byteCount == record.completeLength
            // The earlier call has checked that the file has the digest in the record.
            && digest.map { $0 == record.digest } ?? true
    }

    /// Checks that the partial file is long enough for the bytes that its record claims, and that a call for a resource
    /// may continue the download.
    ///
    /// - Throws: The reason that the call must begin again.
    func check(_ record: DownloadRecord, of source: TransferResource) throws(RestartReason) {
        guard let byteCount = self.partialByteCount else { throw .fileMissing }
        guard byteCount >= record.ranges.end else {
            throw .fileTooShort(recorded: record.ranges.end, found: byteCount)
        }
        guard record.isWhole || record.validator.entityTag != nil || record.source == source else { throw .otherURL }
    }
}
