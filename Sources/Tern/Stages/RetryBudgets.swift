// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernRequests
import TernRetry
import TernTransport

/// How many retries each host may be sent, shared by all calls of a client.
final class RetryBudgets: Sendable {
    private let state = Mutex(RetryBudgetStateMachine<Origin>())

    /// A call begins.
    func begin(_ call: Call, _ policy: RetryPolicy) {
        guard let budget = policy.budget else { return }
        self.state.withLock { $0.begin(call.destination.origin, budget, now: Self.now(call)) }
    }

    /// Whether there may be another try.
    func take(_ call: Call, _ policy: RetryPolicy) -> Bool {
        guard let budget = policy.budget else { return true }
        return self.state.withLock { $0.take(call.destination.origin, budget, now: Self.now(call)) }
    }

    private static func now(_ call: Call) -> Duration { .nanoseconds(call.clock.now.nanoseconds) }
}
