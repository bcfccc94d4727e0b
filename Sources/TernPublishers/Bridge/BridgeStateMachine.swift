// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// Decides how many values a loop over a publisher asks for, which ones wait within the policy's limit, and which comes next.
struct BridgeStateMachine<Output: Sendable, Failure: Error>: Sendable {
    typealias Completion = Subscribers.Completion<Failure>

    enum Step: Sendable {
        /// Return this value. If there is demand, ask the publisher for more first.
        case give(Output, Subscribers.Demand)
        case end(Completion)
        /// Ask the publisher for this demand, if any; call `arrived()`, then `wait()`. As the result of `wait()`, suspend the loop.
        case wait(Subscribers.Demand)
    }

    enum Arrival: Sendable {
        case none
        /// Release the old value outside the lock, because a release may run any code.
        case drop(Output)
        /// Resume the loop that has waited longest. If the publisher has completed, also end the other waiting loops.
        case resume
    }

    private enum State {
        /// No subscription has arrived. Ends with a subscription, with completion, or with cancellation.
        case unsubscribed
        /// Values may arrive. Ends when the publisher completes, or with cancellation.
        case subscribed
        /// Loops still take the kept values. Ends when one loop takes this completion, or with cancellation.
        case completed(Completion)
        case over
    }

    private let policy: BufferingPolicy
    private var state = State.unsubscribed
    private var kept: Deque<Output> = []
    private var askedCount = 0
    private var wantingCount = 0
    private var waitingCount = 0
    /// Whether the loop must end immediately; a value on its way to the loop is then dropped.
    private(set) var isCancelled = false

    init(_ policy: BufferingPolicy) {
        self.policy = policy
        if case .prefetching(let count) = policy { self.askedCount = max(1, count) }
    }

    var isOver: Bool {
        switch self.state {
        case .unsubscribed, .subscribed: false
        case .completed, .over: true
        }
    }

    /// Returns the demand; `nil` to cancel the subscription, because the stream already has one or is over.
    mutating func subscribed() -> Subscribers.Demand? {
        guard case .unsubscribed = self.state else { return nil }
        self.state = .subscribed
        switch self.policy {
        case .oneAtATime, .prefetching: return .max(self.askedCount)
        case .bufferingOldest, .bufferingNewest: return .unlimited
        }
    }

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

    mutating func arrived() -> Step? {
        if let value = self.kept.popFirst() {
            self.wantingCount -= 1
            return .give(value, self.topUp())
        }
        return self.isOver ? self.next() : nil
    }

    mutating func wait() -> Step {
        if let step = self.arrived() { return step }
        self.waitingCount += 1
        return .wait(.none)
    }

    /// Ends the loop at once, and returns what no loop has taken, to be released outside the lock.
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

    /// Returns the demand for one more value if loops want more values than are kept or on their way.
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
