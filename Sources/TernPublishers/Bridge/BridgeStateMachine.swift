// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// Decides how many values a loop over a publisher asks for, which values wait, and which value the loop gets next.
///
/// The machine keeps a value only until the loop takes it, and never more values than the policy allows.
struct BridgeStateMachine<Output: Sendable, Failure: Error>: Sendable {
    typealias Completion = Subscribers.Completion<Failure>

    /// The action to take for a loop that asks for its next value.
    enum Step: Sendable {
        /// Return this value. If there is demand, ask the publisher for more first.
        case give(Output, Subscribers.Demand)
        /// Return the end.
        case end(Completion)
        /// No value is available. Ask the publisher for more, then report that the loop waits.
        case wait(Subscribers.Demand)
    }

    /// The action to take for a value, or for the end.
    enum Arrival: Sendable {
        /// Do nothing: the value is kept, or dropped.
        case none
        /// The machine keeps the new value in place of this old one. Release the old value outside the lock, because a
        /// release may run any code.
        case drop(Output)
        /// Resume the loop that has waited longest. If the publisher has completed, also end the other waiting loops.
        case resume
    }

    private enum State {
        /// No subscription has arrived. The state ends with a subscription, with completion, or with cancellation.
        case unsubscribed
        /// Values may arrive. The state ends when the publisher completes, or with cancellation.
        case subscribed
        /// The publisher has completed. Loops still take the kept values, and then one loop takes this completion,
        /// which ends the state.
        case completed(Completion)
        /// Nothing more happens.
        case over
    }

    private let policy: BufferingPolicy
    private var state = State.unsubscribed
    private var kept: Deque<Output> = []
    /// The number of values that the stream has asked for and that have not arrived.
    ///
    /// Unused if the policy asks for an unlimited number of values.
    private var askedCount = 0
    /// The number of loops that wait for a value, whether or not they have suspended.
    private var wantingCount = 0
    /// The number of loops that wait for a value and have suspended.
    private var waitingCount = 0
    /// Whether the loop must end immediately; a value on its way to the loop is then dropped.
    private(set) var isCancelled = false

    init(_ policy: BufferingPolicy) {
        self.policy = policy
        if case .prefetching(let count) = policy { self.askedCount = max(1, count) }
    }

    /// Whether the publisher can deliver nothing more.
    var isOver: Bool {
        switch self.state {
        case .unsubscribed, .subscribed: false
        case .completed, .over: true
        }
    }

    /// Records that the publisher has accepted the subscription.
    ///
    /// - Returns: The demand; `nil` to cancel the subscription, because the stream already has one or is over.
    mutating func subscribed() -> Subscribers.Demand? {
        guard case .unsubscribed = self.state else { return nil }
        self.state = .subscribed
        switch self.policy {
        case .oneAtATime, .prefetching: return .max(self.askedCount)
        case .bufferingOldest, .bufferingNewest: return .unlimited
        }
    }

    /// Records that a value has arrived.
    ///
    /// - Returns: The action to take, and the demand for more values.
    mutating func received(_ value: Output) -> (Arrival, Subscribers.Demand) {
        guard case .subscribed = self.state else { return (.none, .none) }
        let keptLimit: Int
        switch self.policy {
        case .oneAtATime, .prefetching:
            guard self.askedCount > 0 else { return (.none, .none) }
            self.askedCount -= 1
            keptLimit = .max  // bounded by the demand
        case .bufferingOldest(let count), .bufferingNewest(let count):
            keptLimit = max(1, count)
        }
        if self.waitingCount > 0 {
            self.waitingCount -= 1
            self.wantingCount -= 1
            return (.resume, self.topUp())
        }
        guard self.kept.count >= keptLimit else {
            self.kept.append(value)
            return (.none, .none)
        }
        guard case .bufferingNewest = self.policy, let oldest = self.kept.popFirst() else { return (.none, .none) }
        self.kept.append(value)
        return (.drop(oldest), .none)
    }

    /// Records that the publisher has completed.
    mutating func completed(_ completion: Completion) -> Arrival {
        guard !self.isOver else { return .none }
        guard self.waitingCount == 0 else {
            self.waitingCount = 0
            self.state = .over
            return .resume
        }
        self.state = .completed(completion)
        return .none
    }

    /// Returns the step for a loop that asks for its next value.
    mutating func next() -> Step {
        if let value = self.kept.popFirst() {
            // The value may have been requested for another loop, which has not suspended yet and still needs a value.
            return .give(value, self.policy == .oneAtATime ? self.askForMissing() : self.topUp())
        }
        switch self.state {
        case .completed(let completion):
            self.state = .over
            return .end(completion)
        case .over:
            return .end(.finished)
        case .unsubscribed, .subscribed:
            break
        }
        self.wantingCount += 1
        return .wait(self.policy == .oneAtATime ? self.askForMissing() : .none)
    }

    /// Returns the step for a value or an end that has arrived since `next`; `nil` if nothing has arrived.
    mutating func arrived() -> Step? {
        if let value = self.kept.popFirst() {
            self.wantingCount -= 1
            return .give(value, self.topUp())
        }
        return self.isOver ? self.next() : nil
    }

    /// Records that a loop suspends; if something has arrived since `next`, returns the step for that instead.
    mutating func wait() -> Step {
        if let step = self.arrived() { return step }
        self.waitingCount += 1
        return .wait(.none)
    }

    /// Ends the loop at once.
    ///
    /// - Returns: The kept values, and the completion that no loop has taken. Release them outside the lock.
    mutating func cancelled() -> (values: Deque<Output>, end: Completion?) {
        let end: Completion? = if case .completed(let completion) = self.state { completion } else { nil }
        // A finished loop releases its iterator, which calls this method. Such a call must not drop a value that is on
        // its way to another loop.
        if case .over = self.state {} else { self.isCancelled = true }
        self.state = .over
        self.waitingCount = 0
        defer { self.kept = [] }
        return (self.kept, end)
    }

    /// Returns the demand for one more value if loops want more values than are kept or on their way; otherwise none.
    private mutating func askForMissing() -> Subscribers.Demand {
        guard self.askedCount + self.kept.count < self.wantingCount, !self.isOver else { return .none }
        self.askedCount += 1
        // Before the subscription arrives, ask for nothing: `askedCount` becomes the subscription's initial demand.
        if case .unsubscribed = self.state { return .none }
        return .max(1)
    }

    /// Returns the demand for values ahead of the loop, in large steps rather than one by one.
    private mutating func topUp() -> Subscribers.Demand {
        guard case .prefetching(let count) = self.policy, case .subscribed = self.state else { return .none }
        let missingCount = max(1, count) - self.askedCount - self.kept.count
        guard missingCount * 2 >= max(1, count) else { return .none }
        self.askedCount += missingCount
        return .max(missingCount)
    }
}
