// SPDX-License-Identifier: Apache-2.0

/// Decides which call of a plan begins next, and what the outcome of the command is.
struct CommandPlanStateMachine: Sendable {
    /// The effect of the end of a call.
    enum Effect: Equatable, Sendable {
        /// The plan goes on.
        case goOn
        /// The plan is over; calls that are being made are cancelled.
        case cancelOthers
    }

    private enum State: Sendable {
        /// Calls may begin. Ends when none is left, when the output has no reader, or with a failure that ends the plan.
        case open(CommandPlan.Iterator)
        /// No further call begins, but the outcomes of the running ones count. Ends with a failure that ends the plan.
        case closing
        /// No further call begins, and the outcome is certain. This state is final.
        case decided
    }

    /// The outcome of the command so far.
    ///
    /// As in curl, it is the outcome of the last call. With several calls at the same time, it is that of the last call
    /// that failed, because the order in which they end means nothing.
    private(set) var outcome = Outcome.ok

    private let concurrentCount: Int
    private let endsAtFailure: Bool
    private var runningCount = 0
    private var state: State

    /// Creates the machine for a plan of which no call has begun.
    init(_ plan: CommandPlan) {
        self.concurrentCount = plan.concurrentCount
        self.endsAtFailure = plan.endsAtFailure
        self.state = .open(plan.makeIterator())
    }

    /// Returns the next call to begin; `nil` if another call must end first, or if no call is left.
    mutating func next() -> CommandPlan.Call? {
        guard self.runningCount < self.concurrentCount, case .open(var calls) = self.state else { return nil }
        guard let call = calls.next() else {
            self.state = .closing
            return nil
        }
        self.state = .open(calls)
        self.runningCount += 1
        return call
    }

    /// Records the end of a call.
    mutating func ended(_ outcome: Outcome) -> Effect {
        self.runningCount -= 1
        if case .decided = self.state { return .goOn }
        if self.concurrentCount == 1 || outcome != .ok { self.outcome = outcome }
        guard outcome.isUserRequested || outcome != .ok && self.endsAtFailure else { return .goOn }
        self.state = .decided
        return .cancelOthers
    }

    /// Lets no further call begin, because standard output has no reader any more.
    mutating func outputClosed() {
        if case .open = self.state { self.state = .closing }
    }
}
