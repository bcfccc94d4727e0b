// SPDX-License-Identifier: Apache-2.0

enum AttemptEnd: Hashable, Sendable {
    case completed
    case interrupted
    /// The transfer does not go on by itself; if `isAnswered`, the network counts as available.
    case failed(isAnswered: Bool)
    /// The network counts as not reached; this does not count as a failed attempt.
    case unreachable
    /// Another attempt may succeed; if `isAnswered`, the network counts as available.
    case passing(retryAfter: Duration?, isAnswered: Bool)
    /// The queue could not write its own files; this does not count as a failed attempt, as it says nothing about the transfer.
    case notStored

    var isAnswered: Bool {
        switch self {
        case .completed: true
        case .failed(let isAnswered), .passing(_, let isAnswered): isAnswered
        case .interrupted, .unreachable, .notStored: false
        }
    }
}
