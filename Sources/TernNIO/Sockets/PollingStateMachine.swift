// SPDX-License-Identifier: Apache-2.0

/// Decides whether a reader polls (receives on its thread for a moment) before it waits: mostly after quick answers, less and less
/// often after slow ones.
struct PollingStateMachine: Sendable {
    /// The most failures, beyond the number of successes, before the next pause.
    private static let maximumCredit = 8
    private static let (shortestPause, longestPause) = (8, 1024)
    /// The successes in a row after which one reader waits, so that single bytes of a server do not keep a thread busy.
    private static let longestStreak = 64

    /// The number of failures until the next pause.
    private var credit = 1
    /// The number of waits without polling that are left in the present pause.
    private var waitsLeft = 0
    private var pause = Self.shortestPause
    /// The number of successes since the last failure or wait.
    private var streak = 0

    /// Handles a reader that would wait; returns whether it polls.
    mutating func begins() -> Bool {
        if self.waitsLeft > 0 {
            self.waitsLeft -= 1
            return false
        }
        if self.streak == Self.longestStreak {
            self.streak = 0
            return false
        }
        return true
    }

    mutating func ended(succeeds: Bool) {
        if succeeds {
            self.streak += 1
            self.credit = min(self.credit + 1, Self.maximumCredit)
            self.pause = Self.shortestPause
            return
        }
        self.streak = 0
        self.credit -= 1
        guard self.credit == 0 else { return }
        self.credit = 1
        self.waitsLeft = self.pause
        self.pause = min(self.pause * 2, Self.longestPause)
    }
}
