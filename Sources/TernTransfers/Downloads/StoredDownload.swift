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
}
