// SPDX-License-Identifier: Apache-2.0

/// Decides when the call of a subscriber starts, and which events it gets; without demand, keeps the latest progress each way.
struct CallStateMachine<Output: Sendable>: Sendable {
    enum Action: Sendable {
        case none
        case start
        case report(Output)
        case deliver(Output)
        case finish
        case fail(ClientError)
        /// Cancel the call; if it has already produced a value, `unwanted` is this value.
        case end(unwanted: Output?)
    }

    private struct Call {
        var demand: Subscribers.Demand
        var sent: Output?
        var received: Output?
        var outcome: Result<Output, ClientError>?
        var isBusy = false
    }

    private enum State {
        /// The subscriber is receiving its subscription. Ends when it returns or cancels, or with a release without demand.
        case attaching(Subscribers.Demand)
        /// The subscriber has asked for nothing yet. Ends when it asks for a value or cancels, or with a release.
        case idle
        /// The call is running, or its outcome waits for demand. Ends with the delivery of the outcome, when the subscriber
        /// cancels, or with a release without demand.
        case calling(Call)
        /// The subscriber is receiving the value. Ends when it has returned, or cancels.
        case finishing
        case over
    }

    private var state = State.attaching(.none)
    private var isAbandoned = false

    var isOver: Bool {
        if case .over = self.state { true } else { false }
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
            self.state = .calling(Call(demand: demand))
            return .start
        case .calling(var call):
            call.demand += demand
            return self.advance(call)
        case .finishing, .over:
            return .none
        }
    }

    mutating func reported(_ report: Output, _ direction: TransferDirection) -> Action {
        guard case .calling(var call) = self.state, call.outcome == nil else { return .none }
        switch direction {
        case .sent: call.sent = report
        case .received: call.received = report
        }
        return self.advance(call)
    }

    mutating func ended(_ outcome: Result<Output, ClientError>) -> Action {
        guard case .calling(var call) = self.state, call.outcome == nil else {
            return .end(unwanted: try? outcome.get())
        }
        call.outcome = outcome
        return self.advance(call)
    }

    mutating func delivered(_ demand: Subscribers.Demand) -> Action {
        switch self.state {
        case .calling(var call):
            call.isBusy = false
            call.demand += demand
            return self.advance(call)
        case .finishing:
            self.state = .over
            return .finish
        case .attaching, .idle, .over:
            return .none
        }
    }

    mutating func cancelled() -> Action {
        defer { self.state = .over }
        switch self.state {
        case .calling(let call): return .end(unwanted: try? call.outcome?.get())
        case .attaching, .idle, .finishing: return .end(unwanted: nil)
        case .over: return .none
        }
    }

    mutating func abandoned() -> Action {
        self.isAbandoned = true
        switch self.state {
        case .calling(let call):
            return self.advance(call)
        case .attaching(.none), .idle:
            return self.cancelled()
        case .attaching, .finishing, .over:
            return .none
        }
    }

    /// Returns the next action; every delivery except that of a failure needs demand.
    private mutating func advance(_ call: Call) -> Action {
        var call = call
        guard !call.isBusy else {
            self.state = .calling(call)
            return .none
        }
        if case .failure(let error)? = call.outcome {
            self.state = .over
            return .fail(error)
        }
        guard call.demand > .none else {
            self.state = .calling(call)
            return self.isAbandoned ? self.cancelled() : .none
        }
        if let report = call.sent ?? call.received {
            if call.sent != nil { call.sent = nil } else { call.received = nil }
            call.demand -= 1
            call.isBusy = true
            self.state = .calling(call)
            return .report(report)
        }
        if case .success(let value)? = call.outcome {
            self.state = .finishing
            return .deliver(value)
        }
        self.state = .calling(call)
        return .none
    }
}
