// SPDX-License-Identifier: Apache-2.0

enum AttemptEnd: Hashable, Sendable {
    case completed
    case interrupted
    /// The transfer does not go on by itself; `isAnswered` tells that the network is there.
    case failed(isAnswered: Bool)
    /// The network was not reached; such an attempt does not count.
    case unreachable
    /// Another attempt may succeed; `isAnswered` tells that the network is there.
    case passing(retryAfter: Duration?, isAnswered: Bool)
    /// The queue could not write its own files; such an attempt does not count, because it says nothing about the transfer.
    case notStored

    var isAnswered: Bool {
        switch self {
        case .completed: true
        case .failed(let isAnswered), .passing(_, let isAnswered): isAnswered
        case .interrupted, .unreachable, .notStored: false
        }
    }
}
