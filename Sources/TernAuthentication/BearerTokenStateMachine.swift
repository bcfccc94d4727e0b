// SPDX-License-Identifier: Apache-2.0

/// Shares one token among many requests, and one refresh among all that wait for a new one.
///
/// Each method is something that happened and returns what to do. A driver holds it under a lock, runs refreshes in a
/// task of their own, and keeps a continuation for each waiter. It knows nothing of time: a token that is about to
/// expire is rejected by the driver itself.
///
/// A request that was answered 401 asks again and names the token that it sent. If another request has got a new one in
/// the meantime there is no refresh. Nothing here ends a loop of refreshes: a second 401 to the same request is final.
package struct BearerTokenStateMachine: Sendable {
    /// What a request has to do for a token.
    package enum Decision: Hashable, Sendable {
        /// Send this one.
        case use(String)
        /// Start the refresh with this number, then wait for it as this waiter.
        case refresh(Int, waiter: Int)
        /// Wait, as this waiter, for the refresh that is under way.
        case wait(waiter: Int)
    }

    /// How a refresh ended; why it failed is kept by the driver.
    package enum Outcome: Hashable, Sendable {
        /// There is a new token.
        case success(String)
        /// There is none.
        case failure
    }

    private enum State: Sendable {
        /// Nothing is under way; the token is `nil` if there is none that is not known to be bad. Exit: `refreshing`.
        case idle(String?)
        /// A refresh is under way, and calls wait for it. Exit: `idle`, with its end or when no call waits any more.
        case refreshing(Int, waiters: [Int])
    }

    private var state: State
    private var lastRefresh = 0
    private var lastWaiter = 0

    /// Creates the machine.
    ///
    /// - Parameter token: a token from an earlier session; `nil`, the default, if there is none.
    package init(token: String? = nil) { self.state = .idle(token) }

    // MARK: Events

    /// A request needs a token.
    ///
    /// - Parameter rejected: the token that the request sent and that was refused; `nil` if it sent none.
    /// - Returns: what to do for it. Numbers are never given twice.
    package mutating func needed(rejecting rejected: String?) -> Decision {
        switch self.state {
        case .idle(let token?) where token != rejected:
            return .use(token)
        case .idle:
            self.lastRefresh += 1
            self.lastWaiter += 1
            self.state = .refreshing(self.lastRefresh, waiters: [self.lastWaiter])
            return .refresh(self.lastRefresh, waiter: self.lastWaiter)
        case .refreshing(let refresh, let waiters):
            self.lastWaiter += 1
            self.state = .refreshing(refresh, waiters: waiters + [self.lastWaiter])
            return .wait(waiter: self.lastWaiter)
        }
    }

    /// A refresh ended.
    ///
    /// After a failure the next request that needs a token starts another refresh. The token of a refresh that was to
    /// be cancelled, but succeeded, is kept if nothing is known to be newer: the token before may be good no longer.
    ///
    /// - Parameters:
    ///   - refresh: its number.
    ///   - outcome: how it ended.
    /// - Returns: the waiters to resume with this outcome, in the order of their coming; none if it was cancelled.
    package mutating func refreshed(_ refresh: Int, _ outcome: Outcome) -> [Int] {
        var token: String?
        if case .success(let new) = outcome { token = new }
        switch self.state {
        case .refreshing(refresh, let waiters):
            self.state = .idle(token)
            return waiters
        case .idle(nil) where refresh == self.lastRefresh:
            self.state = .idle(token)
            return []
        case .idle, .refreshing: return []
        }
    }

    /// A waiter waits no longer, because its request was cancelled.
    ///
    /// The refresh goes on for the others.
    ///
    /// - Parameter waiter: its number; one that does not wait is ignored.
    /// - Returns: the number of the refresh to cancel, if that was the last waiter.
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
    /// The decision, with a token masked.
    package var description: String {
        switch self {
        case .use: "use(\(FieldText.mask))"
        case .refresh(let refresh, let waiter): "refresh(\(refresh), waiter: \(waiter))"
        case .wait(let waiter): "wait(waiter: \(waiter))"
        }
    }

    /// The same.
    package var debugDescription: String { self.description }

    /// Shows nothing to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension BearerTokenStateMachine.Outcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The outcome, with a token masked.
    package var description: String { self == .failure ? "failure" : "success(\(FieldText.mask))" }

    /// The same.
    package var debugDescription: String { self.description }

    /// Shows nothing to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension BearerTokenStateMachine: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What it does, with a token masked.
    package var description: String {
        switch self.state {
        case .idle(let token): token == nil ? "no token" : "token \(FieldText.mask)"
        case .refreshing(let refresh, let waiters): "refresh \(refresh) for \(waiters.count)"
        }
    }

    /// The same.
    package var debugDescription: String { self.description }

    /// Shows nothing to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
