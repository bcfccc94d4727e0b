// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// The reason that received bytes cannot be split into lines.
package enum LineViolation: Error, Hashable, Sendable {
    /// A line, without its line break, is longer than `limit` bytes.
    case tooLong(limit: Int)
}

extension LineViolation: CustomStringConvertible {
    /// A short description of what happened.
    package var description: String {
        switch self {
        case .tooLong(let limit): "a line is longer than \(limit) bytes"
        }
    }
}

extension LineViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "A line of the response is longer than \(limit) bytes."
        }
    }
}
