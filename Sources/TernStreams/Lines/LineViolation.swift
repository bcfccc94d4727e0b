// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// The reason that received bytes cannot be split into lines.
package enum LineViolation: Error, Hashable, Sendable {
    /// A line, without its line break, is longer than `limit` bytes.
    case tooLong(limit: Int)
}

extension LineViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit): "a line is longer than \(limit) bytes"
        }
    }
}

extension LineViolation: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "A line of the response is longer than \(limit) bytes."
        }
    }
}
