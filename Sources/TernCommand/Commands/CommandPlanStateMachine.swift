// SPDX-License-Identifier: Apache-2.0

/// Decides which call of a plan begins next, and what the outcome of the command is.
struct CommandPlanStateMachine: Sendable {
    enum Effect: Equatable, Sendable {
        case goOn
        case cancelOthers
    }

    private enum State: Sendable {
        /// Ends when no call is left, when the output has no reader, or with an outcome that ends the plan.
        case open(CommandPlan.Iterator)
        /// No further call begins, but the outcomes of the running ones count. Ends with an outcome that ends the plan.
        case closing
        /// No further call begins, and the outcome is certain. This state is final.
        case decided
    }

    /// As in curl, the outcome of the last call; with parallel calls, of the last that failed, because their order means nothing.
    private(set) var outcome = Outcome.ok

    private let concurrentCount: Int
    private let endsAtFailure: Bool
    private var runningCount = 0
    private var state: State

    init(_ plan: CommandPlan) {
        self.concurrentCount = plan.concurrentCount
        self.endsAtFailure = plan.endsAtFailure
        self.state = .open(plan.makeIterator())
    }

    /// Returns the next call; `nil` if another call must end first, or if no call is left.
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

    mutating func ended(_ outcome: Outcome) -> Effect {
        self.runningCount -= 1
        if case .decided = self.state { return .goOn }
        if self.concurrentCount == 1 || outcome != .ok { self.outcome = outcome }
        guard outcome.isUserRequested || outcome != .ok && self.endsAtFailure else { return .goOn }
        self.state = .decided
        return .cancelOthers
    }

    mutating func outputClosed() {
        if case .open = self.state { self.state = .closing }
    }
}
