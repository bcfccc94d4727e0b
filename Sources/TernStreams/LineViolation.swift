// SPDX-License-Identifier: Apache-2.0

/// A rule of lines that received bytes broke.
public enum LineViolation: Error, Hashable, Sendable {
    /// A line has more bytes than the limit, not counting what ends it.
    case tooLong(limit: Int)
}

extension LineViolation: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .tooLong(let limit): "a line is longer than \(limit) bytes"
        }
    }
}
