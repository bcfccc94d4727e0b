// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernRequests
import TernRetry
import TernTransport

/// How many retries each host may be sent, shared by all calls of a client.
final class RetryBudgets: Sendable {
    private let state = Mutex(RetryBudgetStateMachine<String>())

    /// A call begins.
    func begin(_ call: Call, _ policy: RetryPolicy) {
        guard let budget = policy.budget else { return }
        let host = Self.host(call.destination.origin.description, call)
        self.state.withLock { $0.begin(host, budget, now: Self.now(call)) }
    }

    /// Whether an origin may be sent another try.
    func take(_ origin: String, _ call: Call, _ policy: RetryPolicy) -> Bool {
        guard let budget = policy.budget else { return true }
        let host = Self.host(origin, call)
        return self.state.withLock { $0.take(host, budget, now: Self.now(call)) }
    }

    /// A socket leads to another server than the one whose name its requests bear.
    private static func host(_ origin: String, _ call: Call) -> String {
        call.request.options.unixSocketPath ?? origin
    }

    private static func now(_ call: Call) -> Duration { .nanoseconds(call.clock.now.nanoseconds) }
}
