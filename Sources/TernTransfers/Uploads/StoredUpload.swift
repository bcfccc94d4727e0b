// SPDX-License-Identifier: Apache-2.0

/// The record of an upload that a call found on the disk.
package enum StoredUpload: Hashable, Sendable {
    /// There is no record.
    case absent
    /// There is a file in the place of the record, but it is not a usable record.
    case unusable(RecordProblem)
    /// There is a record.
    case usable(UploadRecord)
}
