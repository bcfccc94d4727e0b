// SPDX-License-Identifier: Apache-2.0

/// How a response body was read in a way that it does not support.
@nonexhaustive
public enum BodyMisuse: Hashable, Sendable {
    /// Two tasks read the body at the same time; which bytes either would get is undefined, so the later one fails.
    case concurrentReads
    /// Whole messages were asked for of a WebSocket whose messages are taken in parts.
    case takenInParts
}

extension BodyMisuse: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .concurrentReads: "two tasks read it at the same time"
        case .takenInParts: "its messages are taken in parts"
        }
    }
}
