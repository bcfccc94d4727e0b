// SPDX-License-Identifier: Apache-2.0

/// Shares one token among many requests, and one refresh among all requests that wait for a new token.
///
/// Each method records an event, and returns what the driver must do. The driver, which owns the machine, protects it
/// with a lock. The driver runs each refresh in a separate task, and stores a continuation for each waiter. The machine
/// has no clock: the driver passes the current time, by which the machine replaces a token that is about to expire.
///
/// If the server answers a request with 401, the request asks for a token again, and names the token that the server
/// refused. If another request has since obtained a new token, no refresh starts. The machine does not limit the number
/// of refreshes. The client does: it treats a second 401 to the same request as final.
package struct BearerTokenStateMachine: Sendable {
    /// The action of a request that needs a token.
    package enum Decision: Hashable, Sendable {
        /// Send this token.
        case use(String)
        /// Start a refresh with this number, and wait for its end.
        ///
        /// `replacing` is the token that the server refused or that expires; `nil` if there is none. `waiter` is the
        /// number of the waiting request.
        case refresh(Int, replacing: String?, waiter: Int)
        /// Wait for the end of the refresh in progress; `waiter` is the number of the waiting request.
        case wait(waiter: Int)
    }

    /// The outcome of a refresh; the driver stores the error of a failure.
    package enum Outcome: Hashable, Sendable {
        /// The refresh returned a new token.
        case success(BearerToken)
        /// The refresh returned no token.
        case failure
    }

    /// A token, and the time from which it is no longer sent.
    private struct HeldToken: Sendable {
        let token: BearerToken
        /// `nil` if only a 401 ends the use of the token.
        var renewal: TokenRenewal?

        /// Returns the token; `nil` if it expires soon.
        mutating func value(at now: TokenRenewal.Moment) -> String? {
            if self.renewal?.isDue(at: now) ?? false { return nil }
            return self.token.value
        }
    }

    private enum State: Sendable {
        /// No refresh is in progress.
        ///
        /// The token is `nil` if no token is known: at the start, or after a refresh that failed or was cancelled.
        /// Exit: `refreshing`.
        case idle(HeldToken?)
        /// A refresh is in progress, and requests wait for it.
        ///
        /// Exit: `idle`, when the refresh ends, or when the last waiting request has stopped waiting.
        case refreshing(Int, waiters: [Int])
    }

    private var state: State
    private var lastRefresh = 0
    private var lastWaiter = 0

    /// Creates the machine.
    ///
    /// - Parameter token: A token that the app already has. Defaults to `nil`.
    package init(token: BearerToken? = nil) {
        self.state = .idle(token.map { HeldToken(token: $0, renewal: TokenRenewal($0)) })
    }

    // MARK: Events

    /// Decides what a request that needs a token does next.
    ///
    /// - Parameters:
    ///   - rejected: The token that the request sent and the server refused; `nil` if the request sent no token.
    ///   - now: The current time.
    /// - Returns: The action for the request. Numbers of refreshes and waiters are never reused.
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

    /// Records the end of a refresh.
    ///
    /// After a failure, the next request that needs a token starts another refresh. A cancelled refresh may still
    /// succeed. The machine then keeps the new token, because the earlier token may no longer be valid. If another
    /// refresh has started since the cancellation, the machine ignores the token of the cancelled one.
    ///
    /// The waiters send a new token even if it has expired: another refresh for the same requests might never end.
    ///
    /// - Parameters:
    ///   - refresh: The number of the refresh.
    ///   - outcome: The outcome of the refresh.
    ///   - now: The current time.
    /// - Returns: The waiters to resume with this outcome, in the order of their arrival; empty if the refresh was
    ///   cancelled.
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

    /// Removes a waiter whose request was cancelled.
    ///
    /// The refresh continues for the other waiters.
    ///
    /// - Parameter waiter: The number of the waiter. Ignored if this waiter no longer waits.
    /// - Returns: The number of the refresh to cancel, if this was the last waiter; otherwise `nil`.
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
    /// The decision, with the token masked.
    package var description: String {
        switch self {
        case .use: "use(\(FieldText.mask))"
        case .refresh(let refresh, let replaced, let waiter):
            "refresh(\(refresh), replacing: \(replaced == nil ? "none" : FieldText.mask), waiter: \(waiter))"
        case .wait(let waiter): "wait(waiter: \(waiter))"
        }
    }

    /// The same as ``description``.
    package var debugDescription: String { self.description }

    /// Shows no children to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension BearerTokenStateMachine.Outcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The outcome, with the token masked.
    package var description: String { self == .failure ? "failure" : "success(\(FieldText.mask))" }

    /// The same as ``description``.
    package var debugDescription: String { self.description }

    /// Shows no children to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension BearerTokenStateMachine: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The current state, with the token masked.
    package var description: String {
        switch self.state {
        case .idle(let held): held == nil ? "no token" : "token \(FieldText.mask)"
        case .refreshing(let refresh, let waiters): "refresh \(refresh), waiters: \(waiters.count)"
        }
    }

    /// The same as ``description``.
    package var debugDescription: String { self.description }

    /// Shows no children to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
