// SPDX-License-Identifier: Apache-2.0

/// When a sequence is asked for its next element: once for each value that the subscriber has asked for, and never
/// before.
///
/// One task pulls and delivers, so that a subscriber is called by one task alone.
struct PullStateMachine: Sendable {
    /// What is to be done, outside of any lock.
    enum Action: Hashable, Sendable {
        /// Nothing.
        case none
        /// Begin the task that pulls.
        case start
        /// Wake the task that pulls.
        case wake
        /// End the task, and wake it if it waits.
        case end
    }

    /// What the task does next.
    enum Turn: Hashable, Sendable {
        /// Take the next element and deliver it.
        case pull
        /// Wait until it is woken, and ask again.
        case wait
        /// End.
        case stop
    }

    private enum State {
        /// The subscriber is being given its subscription; nothing else may reach it. Until it has been.
        case attaching(Subscribers.Demand)
        /// Nothing was asked for. Until something is, or it is cancelled.
        case idle
        /// The task pulls or delivers. Until the demand is met, or the end.
        case pulling(Subscribers.Demand)
        /// The task waits for demand. Until there is some, or it is cancelled.
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

    /// Whether the task is to wait.
    var isWaiting: Bool {
        if case .waiting = self.state { true } else { false }
    }

    /// The subscriber has its subscription.
    mutating func attached() -> Action {
        guard case .attaching(let demand) = self.state else { return .none }
        self.state = .idle
        return self.requested(demand)
    }

    /// The subscriber asks for more.
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

    /// The task asks what to do.
    mutating func turn() -> Turn {
        switch self.state {
        case .pulling(let demand) where demand > .none:
            self.state = .pulling(demand - 1)
            return .pull
        case .pulling, .waiting:
            // Nothing is left that could ask for more.
            self.state = self.isAbandoned ? .over : .waiting
            return self.isAbandoned ? .stop : .wait
        case .attaching, .idle, .over:
            return .stop
        }
    }

    /// The sequence has ended; `false` if the subscriber must not hear of it any more.
    mutating func ended() -> Bool {
        defer { self.state = .over }
        return !self.isOver
    }

    /// The subscriber wants nothing more.
    mutating func cancelled() -> Action {
        defer { self.state = .over }
        return self.isOver ? .none : .end
    }

    /// The subscription was released, so no more values can be asked for, but by the subscriber while it is called.
    mutating func abandoned() -> Action {
        self.isAbandoned = true
        switch self.state {
        case .attaching(.none), .idle, .waiting: return self.cancelled()
        case .attaching, .pulling, .over: return .none
        }
    }
}
