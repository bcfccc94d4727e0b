// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// What a loop over a publisher asks for, keeps and is given.
///
/// Values are here only between their arrival and the loop's next step, and never more of them than the policy says.
struct BridgeStateMachine<Output: Sendable, Failure: Error>: Sendable {
    typealias Completion = Subscribers.Completion<Failure>

    /// What a loop that asks for its next value gets.
    enum Step: Sendable {
        /// A value. The publisher is asked for more first, if there is demand.
        case give(Output, Subscribers.Demand)
        /// The end.
        case end(Completion)
        /// Nothing yet. The publisher is asked for more; then the loop says that it waits.
        case wait(Subscribers.Demand)
    }

    /// What is done with a value, or with the end.
    enum Arrival: Sendable {
        /// Nothing: it is kept, or dropped.
        case none
        /// It is kept, in the place of this one, which is released where no lock is held: that may run anybody's code.
        case drop(Output)
        /// The loop that has waited longest gets it; if it is the end, others that wait have ended.
        case resume
    }

    private enum State {
        /// No subscription has come. Until one does, or the end.
        case unsubscribed
        /// Values may come. Until the end.
        case subscribed
        /// No more values come; those that are kept, and then this, are still to be given. Until the loop has it.
        case completed(Completion)
        /// Nothing more happens.
        case over
    }

    private let policy: BufferingPolicy
    private var state = State.unsubscribed
    private var kept: Deque<Output> = []
    /// How many values were asked for and have not come, where they are asked for by number.
    private var askedCount = 0
    /// How many loops want a value and have none, whether they have suspended yet or not.
    private var wantingCount = 0
    /// How many of them have suspended.
    private var waitingCount = 0
    /// Whether the loop was to end at once; then a value that is on its way to it is dropped.
    private(set) var isCancelled = false

    init(_ policy: BufferingPolicy) {
        self.policy = policy
        if case .prefetching(let count) = policy { self.askedCount = max(1, count) }
    }

    /// Whether the publisher is of no use any more.
    var isOver: Bool {
        switch self.state {
        case .unsubscribed, .subscribed: false
        case .completed, .over: true
        }
    }

    /// The publisher has accepted the subscription.
    ///
    /// - Returns: what to ask for; `nil` to cancel the subscription, which is one too many.
    mutating func subscribed() -> Subscribers.Demand? {
        guard case .unsubscribed = self.state else { return nil }
        self.state = .subscribed
        switch self.policy {
        case .oneAtATime, .prefetching: return .max(self.askedCount)
        case .bufferingOldest, .bufferingNewest: return .unlimited
        }
    }

    /// A value has come.
    ///
    /// - Returns: what to do with it, and what to ask for.
    mutating func received(_ value: Output) -> (Arrival, Subscribers.Demand) {
        guard case .subscribed = self.state else { return (.none, .none) }
        let keptLimit: Int
        switch self.policy {
        case .oneAtATime, .prefetching:
            guard self.askedCount > 0 else { return (.none, .none) }
            self.askedCount -= 1
            keptLimit = .max  // asked for, so bounded by what was
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

    /// The publisher says that it was all.
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

    /// The loop wants its next value.
    mutating func next() -> Step {
        if let value = self.kept.popFirst() {
            // It may have been asked for on behalf of a loop that has not suspended yet.
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

    /// What has come since `next`, while the publisher was asked; `nil` if nothing has.
    mutating func arrived() -> Step? {
        if let value = self.kept.popFirst() {
            self.wantingCount -= 1
            return .give(value, self.topUp())
        }
        return self.isOver ? self.next() : nil
    }

    /// The loop suspends, unless something has come since `next`.
    mutating func wait() -> Step {
        if let step = self.arrived() { return step }
        self.waitingCount += 1
        return .wait(.none)
    }

    /// The loop is to end at once.
    ///
    /// - Returns: what was kept; it is released where no lock is held.
    mutating func cancelled() -> (values: Deque<Output>, end: Completion?) {
        let end: Completion? = if case .completed(let completion) = self.state { completion } else { nil }
        // A loop that has ended is released; that takes no value from another.
        if case .over = self.state {} else { self.isCancelled = true }
        self.state = .over
        self.waitingCount = 0
        defer { self.kept = [] }
        return (self.kept, end)
    }

    /// What to ask for so that there is a value, kept or asked for, for each loop that wants one.
    private mutating func askForMissing() -> Subscribers.Demand {
        guard self.askedCount + self.kept.count < self.wantingCount, !self.isOver else { return .none }
        self.askedCount += 1
        // Before there is a subscription, it is what that will be asked for first.
        if case .unsubscribed = self.state { return .none }
        return .max(1)
    }

    /// What to ask for where values are asked for ahead: much at once, rather than one at a time.
    private mutating func topUp() -> Subscribers.Demand {
        guard case .prefetching(let count) = self.policy, case .subscribed = self.state else { return .none }
        let missingCount = max(1, count) - self.askedCount - self.kept.count
        guard missingCount * 2 >= max(1, count) else { return .none }
        self.askedCount += missingCount
        return .max(missingCount)
    }
}
