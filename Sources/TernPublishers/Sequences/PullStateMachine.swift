// SPDX-License-Identifier: Apache-2.0

/// Decides when to ask a sequence for its next element: once for each value that the subscriber asks for, never
/// earlier.
///
/// One task takes elements from the sequence ("pulls") and delivers them, so that only this task calls the subscriber.
struct PullStateMachine: Sendable {
    /// The action that the driver takes after it has released its lock.
    enum Action: Hashable, Sendable {
        /// Nothing.
        case none
        /// Start the task that pulls.
        case start
        /// Wake the task that pulls.
        case wake
        /// Cancel the task, and wake it if it waits.
        case end
    }

    /// The next step of the task.
    enum Turn: Hashable, Sendable {
        /// Take the next element and deliver it.
        case pull
        /// Wait until the driver wakes the task, then call `turn()` again.
        case wait
        /// End.
        case stop
    }

    private enum State {
        /// The subscriber is receiving its subscription, and must receive nothing else. The state ends when the
        /// subscriber has returned.
        case attaching(Subscribers.Demand)
        /// The subscriber has asked for nothing yet. The state ends when the subscriber asks for a value or cancels.
        case idle
        /// The task pulls or delivers. The state ends when the demand is met, when the sequence ends, or when the
        /// subscriber cancels.
        case pulling(Subscribers.Demand)
        /// The task waits for demand. The state ends when the subscriber asks for a value or cancels.
        case waiting
        /// Nothing more happens.
        case over
    }

    private var state = State.attaching(.none)
    private var isAbandoned = false

    /// Whether nothing more happens.
    var isOver: Bool {
        if case .over = self.state { true } else { false }
    }

    /// Whether the task must wait.
    var isWaiting: Bool {
        if case .waiting = self.state { true } else { false }
    }

    /// Records that the subscriber has received its subscription.
    mutating func attached() -> Action {
        guard case .attaching(let demand) = self.state else { return .none }
        self.state = .idle
        return self.requested(demand)
    }

    /// Records that the subscriber asks for more values.
    mutating func requested(_ demand: Subscribers.Demand) -> Action {
        guard demand > .none else { return .none }
        switch self.state {
        case .attaching(let before):
            self.state = .attaching(before + demand)
            return .none
        case .idle:
            self.state = .pulling(demand)
            return .start
        case .pulling(let before):
            self.state = .pulling(before + demand)
            return .none
        case .waiting:
            self.state = .pulling(demand)
            return .wake
        case .over:
            return .none
        }
    }

    /// Returns the next step of the task.
    mutating func turn() -> Turn {
        switch self.state {
        case .pulling(let demand) where demand > .none:
            self.state = .pulling(demand - 1)
            return .pull
        case .pulling, .waiting:
            // Without a subscription, nothing can ask for more values, so the task stops.
            self.state = self.isAbandoned ? .over : .waiting
            return self.isAbandoned ? .stop : .wait
        case .attaching, .idle, .over:
            return .stop
        }
    }

    /// Records that the sequence has ended.
    ///
    /// Returns whether to tell the subscriber; `false` if the subscription has ended.
    mutating func ended() -> Bool {
        defer { self.state = .over }
        return !self.isOver
    }

    /// Records that the subscriber cancels.
    mutating func cancelled() -> Action {
        defer { self.state = .over }
        return self.isOver ? .none : .end
    }

    /// Records that the subscription was released: from now on, a subscriber can ask for values only during a delivery.
    mutating func abandoned() -> Action {
        self.isAbandoned = true
        switch self.state {
        case .attaching(.none), .idle, .waiting: return self.cancelled()
        case .attaching, .pulling, .over: return .none
        }
    }
}
