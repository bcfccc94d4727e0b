// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// An unsupported way of reading a response body or a WebSocket.
@nonexhaustive
public enum BodyFailure: Hashable, Sendable {
    /// Two tasks read the body at the same time; the later read fails.
    case concurrentReads
    /// The body is no longer there: it was discarded, as by `HTTPReply.discardBody()`, or another loop came to its end or an error.
    case discarded
    /// The program asked for whole messages of a WebSocket that it already reads in parts.
    case readInParts
}

extension BodyFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .concurrentReads: "two tasks read the same body or WebSocket at the same time"
        case .discarded: "the program read the body after it had discarded it, or had read it to its end or to an error"
        case .readInParts: "the program asked for a whole WebSocket message, but already reads messages in parts"
        }
    }
}
