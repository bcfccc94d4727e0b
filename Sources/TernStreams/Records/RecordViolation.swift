// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// The reason that received bytes cannot be read as a stream of JSON records.
package enum RecordViolation: Error, Hashable, Sendable {
    /// The record at the index `number`, from 0, is longer than `limit` bytes; it starts at `offset`.
    case tooLong(limit: Int, number: Int, offset: Int64)
    /// The byte at `offset` is outside of a record: each record must begin with a record separator (RFC 7464 §2.1).
    case notASequence(offset: Int64)
    /// The record at the index `number` may have lost its end (RFC 7464 §2.3 and §2.4); it starts at `offset`.
    case truncated(number: Int, offset: Int64)
}

extension RecordViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit, let number, let offset):
            "the record at index \(number), which begins at byte \(offset), is longer than \(limit) bytes"
        case .notASequence(let offset): "the byte at offset \(offset) is outside of a record"
        case .truncated(let number, let offset):
            "the record at index \(number), which begins at byte \(offset), is truncated"
        }
    }
}

extension RecordViolation: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .tooLong(let limit, let number, _): "The record at index \(number) is longer than \(limit) bytes."
        case .notASequence(let offset):
            "The byte at offset \(offset) does not belong to a record of a JSON text sequence."
        case .truncated(let number, _): "The record at index \(number) is incomplete."
        }
    }
}
