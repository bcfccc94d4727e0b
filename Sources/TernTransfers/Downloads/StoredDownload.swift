// SPDX-License-Identifier: Apache-2.0

package enum StoredRecord: Hashable, Sendable {
    case absent
    case unusable(DownloadRecord.Problem)
    case usable(DownloadRecord)
}

package struct FoundFiles: Hashable, Sendable {
    package struct Destination: Hashable, Sendable {
        package var byteCount: Int64
        package var number: UInt64

        package init(byteCount: Int64, number: UInt64) {
            self.byteCount = byteCount
            self.number = number
        }
    }

    package var partialByteCount: Int64?
    package var partialNumber: UInt64?
    package var destination: Destination?

    package init(partialByteCount: Int64? = nil, partialNumber: UInt64? = nil, destination: Destination? = nil) {
        self.partialByteCount = partialByteCount
        self.partialNumber = partialNumber
        self.destination = destination
    }

    /// Returns whether an earlier call has moved the complete file into its place, and ended before it deleted the record.
    func hasInPlace(_ record: DownloadRecord, expecting digest: TransferDigest?) -> Bool {
        // A call that was killed may have left an empty partial file beside the complete one.
        guard self.partialByteCount ?? 0 == 0, record.isWhole, let number = record.fileNumber,
            let destination = self.destination
        else { return false }
        return destination.number == number && destination.byteCount == record.completeLength
            // The earlier call has checked that the file has the digest in the record.
            && digest.map { $0 == record.digest } ?? true
    }

    /// Checks that the partial file has the bytes that its record claims, and that a call for this resource may continue it.
    func check(_ record: DownloadRecord, of source: TransferResource) throws(RestartReason) {
        guard let byteCount = self.partialByteCount else { throw .fileMissing }
        guard byteCount >= record.ranges.end else {
            throw .fileTooShort(recorded: record.ranges.end, found: byteCount)
        }
        guard record.isWhole || record.validator.entityTag != nil || record.source == source else { throw .otherURL }
    }
}
