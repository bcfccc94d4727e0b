// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors

/// Decides what happens to one exchange whose response does not end with its head, or whose request has a body to send.
///
/// The methods are events of the task that sends the body (the *sender*), of the tasks that wait for the response, and of the
/// timer. Each returns what the driver does after it has released its lock.
struct ExchangeStateMachine: Sendable {
    /// The actions of the driver, in the order of the properties.
    struct Effects: Hashable, Sendable {
        enum SlotEnd: Hashable, Sendable {
            case giveBack
            /// The exchange ended early, or its connection serves no other exchange.
            case discard
        }

        var removesReadLimit = false
        var stopsSender = false
        /// Whether to close the connection (HTTP/1.1) or to reset the stream (HTTP/2).
        var aborts = false
        var slot: SlotEnd?
        /// Whether to call ``timerFired()`` after ``SettlingLimit/duration``.
        var setsTimer = false
        var wakesWaiter = false

        static let none = Effects()
    }

    enum Turn: Hashable, Sendable {
        case granted
        /// A read has reached the end or an error.
        case finished
        case misused(BodyFailure)
    }

    enum Discard: Hashable, Sendable {
        /// The task takes bytes that have arrived, and then calls ``drained(isReusable:)``.
        case drain
        case done(Effects)
    }

    private enum Request: Sendable {
        /// Nothing is left to hand over to the connection.
        case complete
        /// The sender is at work. Exits: `complete`, `failed`.
        ///
        /// `isQueued`: whether the connection has the last bytes of the body, or is about to get them; always false over HTTP/2.
        case sending(isQueued: Bool)
        /// The sender has failed.
        case failed(ClientError)
    }

    private enum Response: Sendable {
        /// The exchange waits for the head. Ends with the head, or with the exchange.
        case awaited
        /// No task reads the body. Ends when a task reads or discards it, or with the response.
        case unread
        /// A task reads the body. Ends when it has bytes, the end or an error, or when another task discards the body.
        case reading
        /// A task that does not need the body takes bytes that have arrived. Ends when it stops.
        case draining
        /// The response is complete, and the end of the request is queued or about to be, but the sender has not ended. Ends with
        /// the sender; for `reader`, also when a task discards the body; for the others, also with the timer.
        case settling(Settler)
        /// The exchange is over for its caller, who gets the end of the response or an error.
        case finished
        /// A task has discarded the body.
        case discarded
    }

    private enum Settler: Hashable, Sendable {
        /// The task that reads the body waits for the sender.
        case reader
        /// No task waits, because the reader was cancelled; it gets the end of the response. The timer limits this state.
        case cancelledReader
        /// No task waits, because the body was discarded. The timer limits this state.
        case nobody
    }

    private var request: Request
    private var response: Response
    /// Whether the response does not depend on the rest of the request, because its status is 300 or higher.
    private var isRequestDispensable = false
    private var lastSent: ClockInstant?
    /// The last instant at which bytes of the response arrived, or a task began to wait for them.
    private var lastReceived: ClockInstant?

    private init(_ request: Request, _ response: Response) {
        self.request = request
        self.response = response
    }

    static var sending: ExchangeStateMachine { ExchangeStateMachine(.sending(isQueued: false), .awaited) }

    static var answered: ExchangeStateMachine { ExchangeStateMachine(.complete, .unread) }

    // MARK: The sender

    var isRequestComplete: Bool {
        if case .complete = self.request { true } else { false }
    }

    /// The error if the body could not be sent; `nil` if the response does not depend on the rest, or may say more than the error
    /// of a lost connection, or if the sender was cancelled.
    var requestFailure: ClientError? {
        guard !self.isRequestDispensable, case .failed(let error) = self.request else { return nil }
        switch error {
        case .connectionLost, .cancelled: return nil
        default: return error
        }
    }

    mutating func sent(at now: ClockInstant) { self.lastSent = now }

    /// Records that the end of the body comes next, because the server may read it and answer before the sender continues.
    mutating func willQueueEnd() {
        if case .sending = self.request { self.request = .sending(isQueued: true) }
    }

    mutating func senderEnded(_ outcome: Result<Void, ClientError>) -> Effects {
        guard case .sending = self.request else { return .none }
        var effects = Effects(wakesWaiter: true)
        switch outcome {
        case .success:
            self.request = .complete
            switch self.response {
            // The reader asks once more whether the connection serves another exchange.
            case .settling(.reader): self.response = .reading
            case .settling(.cancelledReader), .settling(.nobody): self.settle(&effects, .giveBack)
            case .awaited, .unread, .reading, .draining, .finished, .discarded: break
            }
        case .failure(let error):
            self.request = .failed(error)
            switch self.response {
            case .settling: self.settle(&effects, .discard)
            case .awaited, .unread, .reading, .draining:
                // Otherwise the server would wait forever for the rest of the body. This also wakes the task that waits
                // for the response.
                effects.aborts = self.requestFailure != nil
            case .finished, .discarded: break
            }
        }
        return effects
    }

    private mutating func settle(_ effects: inout Effects, _ end: Effects.SlotEnd) {
        self.response = self.settled
        effects.slot = end
        effects.aborts = end == .discard
    }

    /// The end of ``Response/settling(_:)``.
    private var settled: Response {
        if case .settling(.nobody) = self.response { .discarded } else { .finished }
    }

    // MARK: The head of the response

    var awaitsHead: Bool {
        if case .awaited = self.response { true } else { false }
    }

    /// Returns whether to wait for the sender, because the server may answer before the sender continues after its last bytes.
    mutating func protocolChanges(at now: ClockInstant) -> Bool {
        self.lastReceived = now
        return if case .sending(isQueued: true) = self.request { true } else { false }
    }

    mutating func answered(_ statusCode: Int, at now: ClockInstant) -> Effects {
        guard case .awaited = self.response else { return .none }
        self.response = .unread
        self.lastReceived = now
        self.isRequestDispensable = statusCode >= 300
        var effects = Effects(removesReadLimit: true)
        // If the connection has the whole body, it may serve the next exchange.
        if self.isRequestDispensable, case .sending(isQueued: false) = self.request { effects.stopsSender = true }
        return effects
    }

    mutating func failed() -> Effects {
        guard case .awaited = self.response else { return .none }
        self.response = .finished
        return self.givingUp
    }

    // MARK: The body of the response

    mutating func readBegan(at now: ClockInstant?) -> Turn {
        switch self.response {
        case .unread:
            self.response = .reading
            // While no task was reading, the server may have been unable to send. So the server's silence counts only
            // from now on.
            self.lastReceived = now
            return .granted
        case .awaited, .reading: return .misused(.concurrentReads)
        case .settling(.reader): return .misused(.concurrentReads)
        case .settling(.nobody), .draining, .discarded: return .misused(.discarded)
        case .settling(.cancelledReader), .finished: return .finished
        }
    }

    /// Returns whether a later read may continue; `false` if the body was discarded meanwhile.
    mutating func readEnded(at now: ClockInstant?) -> Bool {
        guard case .reading = self.response else { return false }
        self.response = .unread
        self.lastReceived = now
        return true
    }

    mutating func readFailed() -> (Effects, isDiscarded: Bool) {
        guard case .reading = self.response else { return (.none, true) }
        self.response = .finished
        return (self.givingUp, false)
    }

    /// Ends the response; if ``isSettling`` is true then, the task waits until it is woken, and repeats this event.
    mutating func responseEnded(isReusable: Bool, at now: ClockInstant?) -> Effects {
        switch self.response {
        case .unread, .reading: break
        case .awaited, .draining, .settling, .finished, .discarded: return .none
        }
        // For the idle limit of the sender: the server has sent its whole response, so it has no reason to accept
        // nothing.
        self.lastReceived = now
        return self.ended(isReusable, for: .reader)
    }

    var isSettling: Bool {
        if case .settling(.reader) = self.response { true } else { false }
    }

    var needsTimer: Bool {
        switch self.response {
        case .settling(.cancelledReader), .settling(.nobody): true
        default: false
        }
    }

    mutating func waitCancelled() -> Effects {
        switch self.response {
        case .settling(.reader):
            self.response = .settling(.cancelledReader)
            return Effects(stopsSender: true, setsTimer: true)
        case .awaited: return Effects(stopsSender: true)
        case .unread, .reading, .draining, .settling, .finished, .discarded: return .none
        }
    }

    /// Discards the body, even while another task reads it if `isForced`.
    mutating func discarded(isForced: Bool) -> Discard {
        switch self.response {
        case .unread:
            self.response = .draining
            return .drain
        case .reading, .settling(.reader):
            guard isForced else { return .done(.none) }
            self.response = .discarded
            var effects = self.givingUp
            effects.wakesWaiter = true
            return .done(effects)
        case .awaited, .draining, .settling, .finished, .discarded: return .done(.none)
        }
    }

    mutating func drained(isReusable: Bool) -> Effects {
        guard case .draining = self.response else { return .none }
        return self.ended(isReusable, for: .nobody)
    }

    mutating func timerFired() -> Effects {
        guard self.needsTimer else { return .none }
        self.response = self.settled
        return self.givingUp
    }

    private mutating func ended(_ isReusable: Bool, for settler: Settler) -> Effects {
        switch self.request {
        case .sending(isQueued: true) where isReusable:
            self.response = .settling(settler)
            return Effects(setsTimer: settler == .nobody)
        case .complete where isReusable:
            self.response = settler == .reader ? .finished : .discarded
            return Effects(slot: .giveBack)
        case .complete, .sending, .failed:
            self.response = settler == .reader ? .finished : .discarded
            return self.givingUp
        }
    }

    private var givingUp: Effects {
        var effects = Effects(aborts: true, slot: .discard)
        if case .sending = self.request { effects.stopsSender = true }
        return effects
    }

    // MARK: The idle limit

    /// Returns the last instant at which a part of the request was sent, if that was after `start`.
    func readIdleStart(since start: ClockInstant, lastSent: ClockInstant?) -> ClockInstant? {
        Self.later(of: self.lastSent, lastSent, after: start)
    }

    /// Returns the new start of the sender's idle time, the last instant at which bytes moved in either direction; it is `now`
    /// while no task reads the response, because the server may then be unable to send, and stop receiving.
    func sendIdleStart(since start: ClockInstant, lastSent: ClockInstant?, at now: ClockInstant) -> ClockInstant? {
        switch self.response {
        case .awaited, .reading, .settling(.reader): Self.later(of: self.lastReceived, lastSent, after: start)
        case .unread, .draining, .settling, .finished, .discarded: now
        }
    }

    private static func later(
        of one: ClockInstant?,
        _ other: ClockInstant?,
        after start: ClockInstant
    ) -> ClockInstant? {
        guard let last = [one, other].compactMap(\.self).max(), last > start else { return nil }
        return last
    }
}

enum SettlingLimit {
    /// Enough for a task that only has to continue; a server that refuses the rest of the body holds up other calls this long.
    static let duration = Duration.milliseconds(250)
}
