// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import Testing

@testable import TernHTTP

/// Every order of the events of an exchange, up to a length.
@Suite("ExchangeStateMachine: all orders of events")
struct ExchangeOrdersTests {
    @Test func `a request without a body`() { self.explore(World(.answered), depth: 6) }

    @Test func `a request whose body a task sends`() { self.explore(World(.sending), depth: 6) }

    /// Tries each event that may come next, and after each order of events, ends the exchange.
    private func explore(_ world: World, depth: Int) {
        var ended = world
        ended.end()
        #expect(ended.slotEnds.count == 1, "\(ended.script)")
        guard depth > 0 else { return }
        for event in World.Event.allCases where world.mayHappen(event) {
            var next = world
            next.happen(event)
            self.explore(next, depth: depth - 1)
        }
    }
}

/// An exchange and what surrounds it: the sender, the tasks that read or discard the response, and the timer.
private struct World {
    enum Event: CaseIterable {
        case endQueued, bodySent, sourceFailed, connectionLost, answered, refused, failed, read, bytes, readError
        case lastResponse, reusableResponse, discardUnlessRead, discard, drained, drainedAll, waitCancelled, timer
    }

    private var machine: ExchangeStateMachine
    private(set) var script: [Event] = []
    private(set) var slotEnds: [ExchangeStateMachine.Effects.SlotEnd] = []
    private var isSending: Bool
    private var isQueued = false
    private var isStopped = false
    private var isSent: Bool
    private var isAborted = false
    private var isAnswered: Bool
    private var hasFailed = false
    private var isReading = false
    private var isDraining = false
    private var hasTimer = false
    private var isResponseComplete = false
    private let now = ClockInstant(nanoseconds: 0)

    init(_ machine: ExchangeStateMachine) {
        self.machine = machine
        self.isSending = !machine.isRequestComplete
        self.isSent = machine.isRequestComplete
        self.isAnswered = machine.isRequestComplete
    }

    /// Whether the task that has read the end of the response waits for the sender.
    private var isSettling: Bool { self.machine.isSettling }

    func mayHappen(_ event: Event) -> Bool {
        switch event {
        case .endQueued: self.isSending && !self.isQueued
        case .bodySent: self.isSending && self.isQueued
        case .sourceFailed, .connectionLost: self.isSending
        case .answered, .refused, .failed: !self.isAnswered && !self.hasFailed
        case .read: self.isAnswered && !self.isReading && !self.isSettling
        case .bytes, .readError, .lastResponse, .reusableResponse: self.isReading
        case .discardUnlessRead, .discard: self.isAnswered
        case .drained, .drainedAll: self.isDraining
        case .waitCancelled: self.isSettling || (!self.isAnswered && !self.hasFailed && self.isSending && self.isQueued)
        case .timer: self.hasTimer
        }
    }

    mutating func happen(_ event: Event) {
        self.script.append(event)
        let context = ClientError.Context(phase: .send)
        switch event {
        case .endQueued:
            self.isQueued = true
            self.machine.willQueueEnd()
        case .bodySent:
            (self.isSending, self.isSent) = (false, true)
            let wasSettling = self.isSettling
            self.perform(self.machine.senderEnded(.success(())))
            if wasSettling { self.isReading = true }  // which asks once more
        case .sourceFailed:
            self.isSending = false
            self.perform(self.machine.senderEnded(.failure(.uploadFailed(.notReplayable, context))))
        case .connectionLost:
            self.isSending = false
            self.perform(self.machine.senderEnded(.failure(.connectionLost(.closed, context))))
        case .answered, .refused:
            self.isAnswered = true
            self.perform(self.machine.answered(event == .answered ? 200 : 404, at: self.now))
        case .failed:
            self.hasFailed = true
            self.perform(self.machine.failed())
        case .read: self.isReading = self.machine.readBegan(at: self.now) == .granted
        case .bytes:
            self.isReading = false
            _ = self.machine.readEnded(at: self.now)
        case .readError:
            self.isReading = false
            self.perform(self.machine.readFailed().0)
        case .lastResponse, .reusableResponse:
            self.isReading = false
            self.isResponseComplete = event == .reusableResponse
            self.perform(self.machine.responseEnded(isReusable: event == .reusableResponse, at: self.now))
        case .discardUnlessRead, .discard:
            switch self.machine.discarded(isForced: event == .discard) {
            case .drain: self.isDraining = true
            case .done(let effects): self.perform(effects)
            }
        case .drained, .drainedAll:
            self.isDraining = false
            self.isResponseComplete = event == .drainedAll
            self.perform(self.machine.drained(isReusable: event == .drainedAll))
        case .waitCancelled: self.perform(self.machine.waitCancelled())
        case .timer:
            self.hasTimer = false
            self.perform(self.machine.timerFired())
        }
    }

    /// Ends whatever is still open: the caller leaves, and the timer fires.
    mutating func end() {
        for event in [Event.failed, .readError, .discard, .drained, .waitCancelled, .timer] where self.mayHappen(event)
        {
            self.happen(event)
        }
    }

    /// Checks the effects against what has happened.
    private mutating func perform(_ effects: ExchangeStateMachine.Effects) {
        let wasSettled = !self.slotEnds.isEmpty
        if effects.stopsSender { self.isStopped = true }
        if effects.aborts { self.isAborted = true }
        if effects.setsTimer { self.hasTimer = true }
        if let end = effects.slot {
            self.slotEnds.append(end)
            #expect(!wasSettled, "the slot ends once: \(self.script)")
            #expect(!self.isSending || self.isStopped, "no sender goes on: \(self.script)")
            switch end {
            case .giveBack:
                let isComplete = self.isSent && self.isResponseComplete
                #expect(isComplete && !self.isAborted, "only a complete exchange is reusable: \(self.script)")
            case .discard: #expect(effects.aborts, "a connection that is given up is closed: \(self.script)")
            }
        } else if wasSettled {
            var rest = effects
            rest.wakesWaiter = false
            #expect(rest == .none, "nothing happens after the end: \(self.script)")
        }
    }
}
