// SPDX-License-Identifier: Apache-2.0

/// The end of an attempt of a transfer, as far as the schedule needs it.
enum AttemptEnd: Hashable, Sendable {
    /// The transfer is complete.
    case completed
    /// The queue has ended the attempt.
    case interrupted
    /// The attempt failed, and the transfer does not go on by itself.
    ///
    /// - `isAnswered`: Whether something has answered, so that the network is there.
    case failed(isAnswered: Bool)
    /// The network was not reached.
    ///
    /// Such an attempt does not count.
    case unreachable
    /// The attempt failed, and another one may succeed.
    ///
    /// - `retryAfter`: The time that the server asks to wait; `nil` if it does not.
    /// - `isAnswered`: Whether something has answered, so that the network is there.
    case passing(retryAfter: Duration?, isAnswered: Bool)
    /// The queue could not write its own files.
    ///
    /// Such an attempt does not count, because it says nothing about the transfer.
    case notStored

    /// Whether the attempt shows that the network is there.
    var isAnswered: Bool {
        switch self {
        case .completed: true
        case .failed(let isAnswered), .passing(_, let isAnswered): isAnswered
        case .interrupted, .unreachable, .notStored: false
        }
    }
}
