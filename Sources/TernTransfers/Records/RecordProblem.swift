// SPDX-License-Identifier: Apache-2.0

package enum RecordProblem: Error, Hashable, Sendable {
    /// The longest possible record is shorter; a longer file is ``tooLong``.
    package static let maximumByteCount = 64 << 10

    case tooLong
    case unreadable
    /// The format of the record is newer than this version of Tern can read.
    case newerVersion(Int)
    /// The digest of the content differs from the one in the first line.
    case damaged
    case invalid
}
