// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// The reason that received bytes cannot be read as server-sent events.
package enum EventViolation: Error, Hashable, Sendable {
    /// The lines of an event, without line breaks and earlier comments, are together longer than `limit` bytes.
    case tooLong(limit: Int)
}

extension EventViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit): "a server-sent event is longer than \(limit) bytes"
        }
    }
}

extension EventViolation: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "A server-sent event is longer than \(limit) bytes."
        }
    }
}
