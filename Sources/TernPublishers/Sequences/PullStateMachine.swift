// SPDX-License-Identifier: Apache-2.0

/// Decides when to ask a sequence for an element: once for each value that the subscriber asks for, in the task that delivers it.
struct PullStateMachine: Sendable {
    enum Action: Hashable, Sendable {
        case none
        case start
        case wake
        case end
    }

    enum Turn: Hashable, Sendable {
        case pull
        /// Wait until the driver wakes the task, then call `turn()` again.
        case wait
        case stop
    }

    private enum State {
        /// The subscriber is receiving its subscription. Ends when it returns or cancels, or with a release without demand.
        case attaching(Subscribers.Demand)
        /// The subscriber has asked for nothing yet. Ends when it asks for a value or cancels, or with a release.
        case idle
        /// The task pulls or delivers. Ends when the demand is met, when the sequence ends or fails, or with cancellation.
        case pulling(Subscribers.Demand)
        /// The task waits for demand. Ends when the subscriber asks for a value or cancels, or with a release.
        case waiting
        case over
    }

    private var state = State.attaching(.none)
    private var isAbandoned = false

    var isOver: Bool {
        if case .over = self.state { true } else { false }
    }

    var isWaiting: Bool {
        if case .waiting = self.state { true } else { false }
    }

    mutating func attached() -> Action {
        guard case .attaching(let demand) = self.state else { return .none }
        self.state = .idle
        return self.requested(demand)
    }

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

    mutating func ended() -> Bool {
        defer { self.state = .over }
        return !self.isOver
    }

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
