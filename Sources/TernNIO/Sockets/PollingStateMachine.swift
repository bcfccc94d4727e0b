// SPDX-License-Identifier: Apache-2.0

/// Decides whether a reader first polls, that is, receives on its own thread for a short time, before it waits.
///
/// Readers poll while the answers come quickly. After answers that took longer, readers poll less and less often.
struct PollingStateMachine: Sendable {
    /// The number of failures in a row that end a phase of successes.
    private static let maximumCredit = 8
    private static let (shortestPause, longestPause) = (8, 1024)

    /// The number of failures until the next pause.
    private var credit = 1
    /// The number of waits without polling that are left in the present pause.
    private var waitsLeft = 0
    /// The length of the next pause.
    private var pause = Self.shortestPause

    /// Handles a reader that would wait; returns whether it polls.
    mutating func begins() -> Bool {
        guard self.waitsLeft > 0 else { return true }
        self.waitsLeft -= 1
        return false
    }

    /// Records whether a reader that polled has received what it needs.
    mutating func ended(succeeds: Bool) {
        if succeeds {
            self.credit = min(self.credit + 1, Self.maximumCredit)
            self.pause = Self.shortestPause
            return
        }
        self.credit -= 1
        guard self.credit == 0 else { return }
        self.credit = 1
        self.waitsLeft = self.pause
        self.pause = min(self.pause * 2, Self.longestPause)
    }
}
