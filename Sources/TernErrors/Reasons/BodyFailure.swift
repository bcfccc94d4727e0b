// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// How a response body was read in a way that it does not support.
@nonexhaustive
public enum BodyFailure: Hashable, Sendable {
    /// Two tasks read the body at the same time; which bytes either would get is undefined, so the later one fails.
    case concurrentReads
    /// The body was discarded before, by `HTTPReply.discardBody()`.
    case discarded
    /// Whole messages were asked for of a WebSocket whose messages are taken in parts.
    case takenInParts
}

extension BodyFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .concurrentReads: "two tasks read it at the same time"
        case .discarded: "it was discarded before"
        case .takenInParts: "its messages are taken in parts"
        }
    }
}
