// SPDX-License-Identifier: Apache-2.0

/// Decides when a timer must be set so that no deadline is missed, and none is set per request.
///
/// One timer serves all waits on a connection, one after the other: it is armed only when no earlier one is, and the
/// owner looks again when it fires. A busy connection so sets a timer once in a timeout's length.
struct DeadlineTimer: Sendable {
    /// When the timer is to fire; `nil` when none is set.
    private(set) var armedInstant: Instant?

    /// Somebody waits until `deadline`; returns when to set a timer, if one must be.
    mutating func wait(until deadline: Deadline?) -> Instant? {
        guard let deadline else { return nil }
        if let armedInstant = self.armedInstant, armedInstant <= deadline.instant { return nil }
        self.armedInstant = deadline.instant
        return deadline.instant
    }

    /// The timer fired.
    mutating func fired() { self.armedInstant = nil }
}
