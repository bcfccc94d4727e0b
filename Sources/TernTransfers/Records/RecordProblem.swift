// SPDX-License-Identifier: Apache-2.0

/// The reason that bytes are not a usable record.
package enum RecordProblem: Error, Hashable, Sendable {
    /// The maximum length of a record, in bytes: 64 KiB.
    ///
    /// The longest possible record is shorter. A longer file is not read.
    package static let maximumByteCount = 64 << 10

    /// There are more bytes than a record can have.
    case tooLong
    /// The bytes do not begin with the line of a record.
    case unreadable
    /// A later version of Tern wrote the record.
    case newerVersion(Int)
    /// The digest of the content differs from the one in the first line.
    case damaged
    /// The digest is right, but the content is not a record of this version.
    case invalid
}
