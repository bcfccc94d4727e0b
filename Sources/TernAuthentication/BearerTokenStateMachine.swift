// SPDX-License-Identifier: Apache-2.0

/// Shares one token among many requests, and one refresh among all requests that wait for a new token.
///
/// The driver protects the machine with a lock, and runs each refresh in a task. A request that got 401 names the refused token, so
/// that no refresh starts if another request has since obtained a new one. Waiters send a new token even if it has expired, because
/// otherwise one refresh could follow another forever.
package struct BearerTokenStateMachine: Sendable {
    package enum Decision: Hashable, Sendable {
        case use(String)
        /// Start the refresh with this number, and wait for its end; `replacing` is the token that the new one replaces, if any.
        case refresh(Int, replacing: String?, waiter: Int)
        /// Wait for the end of the refresh in progress.
        case wait(waiter: Int)
    }

    package enum Outcome: Hashable, Sendable {
        case success(BearerToken)
        case failure
    }

    private struct HeldToken: Sendable {
        let token: BearerToken
        /// `nil` if only a 401 ends the use of the token.
        var renewal: TokenRenewal?

        mutating func value(at now: TokenRenewal.Moment) -> String? {
            if self.renewal?.isDue(at: now) ?? false { return nil }
            return self.token.value
        }
    }

    private enum State: Sendable {
        /// No request waits for a refresh; `nil` if there is no token, for example after a refresh that failed.
        case idle(HeldToken?)
        /// The refresh with this number is in progress, and at least one request waits for it.
        case refreshing(Int, waiters: [Int])
    }

    private var state: State
    private var lastRefresh = 0
    private var lastWaiter = 0

    package init(token: BearerToken? = nil) {
        self.state = .idle(token.map { HeldToken(token: $0, renewal: TokenRenewal($0)) })
    }

    // MARK: Events

    /// Decides what a request does next that needs a token; numbers of refreshes and waiters are never reused.
    package mutating func needed(rejecting rejected: String?, at now: TokenRenewal.Moment) -> Decision {
        switch self.state {
        case .idle(var held):
            if let token = held?.value(at: now), token != rejected {
                self.state = .idle(held)
                return .use(token)
            }
            self.lastRefresh += 1
            self.lastWaiter += 1
            self.state = .refreshing(self.lastRefresh, waiters: [self.lastWaiter])
            return .refresh(self.lastRefresh, replacing: held?.token.value ?? rejected, waiter: self.lastWaiter)
        case .refreshing(let refresh, let waiters):
            self.lastWaiter += 1
            self.state = .refreshing(refresh, waiters: waiters + [self.lastWaiter])
            return .wait(waiter: self.lastWaiter)
        }
    }

    /// Records the end of a refresh, and returns the waiters to resume; keeps the token of a cancelled refresh, unless another one
    /// has started.
    package mutating func refreshed(_ refresh: Int, _ outcome: Outcome, at now: TokenRenewal.Moment) -> [Int] {
        var held: HeldToken?
        if case .success(let token) = outcome {
            held = HeldToken(token: token, renewal: TokenRenewal(token, receivedAt: now))
        }
        switch self.state {
        case .refreshing(refresh, let waiters):
            self.state = .idle(held)
            return waiters
        case .idle(nil) where refresh == self.lastRefresh:
            self.state = .idle(held)
            return []
        case .idle, .refreshing: return []
        }
    }

    /// Removes a cancelled waiter; returns the refresh to cancel if this was the last one.
    package mutating func abandoned(_ waiter: Int) -> Int? {
        guard case .refreshing(let refresh, var waiters) = self.state, let index = waiters.firstIndex(of: waiter) else {
            return nil
        }
        waiters.remove(at: index)
        self.state = waiters.isEmpty ? .idle(nil) : .refreshing(refresh, waiters: waiters)
        return waiters.isEmpty ? refresh : nil
    }
}

extension BearerTokenStateMachine.Decision: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .use: "use(\(FieldText.mask))"
        case .refresh(let refresh, let replaced, let waiter):
            "refresh(\(refresh), replacing: \(replaced == nil ? "none" : FieldText.mask), waiter: \(waiter))"
        case .wait(let waiter): "wait(waiter: \(waiter))"
        }
    }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension BearerTokenStateMachine.Outcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { self == .failure ? "failure" : "success(\(FieldText.mask))" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension BearerTokenStateMachine: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        switch self.state {
        case .idle(let held): held == nil ? "no token" : "token \(FieldText.mask)"
        case .refreshing(let refresh, let waiters): "refresh \(refresh), waiters: \(waiters.count)"
        }
    }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
