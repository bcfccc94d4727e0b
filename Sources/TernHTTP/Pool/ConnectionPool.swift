// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// Lends connections to calls for their exchanges, and makes new connections (*dials*).
///
/// The state machine decides under a lock, and the pool performs these decisions outside of it. A *session* is a connection that
/// speaks HTTP, and a *slot* is a place for one exchange on a session.
final class ConnectionPool: SessionPool {
    typealias Machine = PoolStateMachine<ConnectionTarget, PooledSession>

    enum Outcome: Sendable {
        /// The pool tells a waiting call to use a slot, to begin a dial, to continue to wait, or to ask again; it creates `next`
        /// under the same lock, so that the call misses no event before it waits again.
        case granted(Machine.Grant, next: Turn?)
        case failed(ClientError)
    }

    typealias Turn = Suspension<Result<Outcome, ConnectionError>>

    struct Locked: TimedState {
        var machine: Machine
        var turns: [Machine.Waiter: Turn] = [:]
        var dials: [Machine.Dial: RunningDial] = [:]
        var sharedSessions = SharedSessions()
        var timer: ScheduledAction?

        var armedInstant: ClockInstant? { self.machine.armedInstant }

        mutating func addTurn(of waiter: Machine.Waiter) -> Turn {
            let turn = Turn()
            self.turns[waiter] = turn
            return turn
        }
    }

    let locked: ShortMutex<Locked>
    let heldBodies = HeldBodies()

    private let dialer: Dialer
    private let settings: ExchangeSettings
    let others: IdleConnections
    let clock: any TransportClock

    init(_ configuration: HTTPTransportConfiguration, dialer: Dialer, clock: any TransportClock) {
        self.locked = ShortMutex(Locked(machine: Machine(configuration.pool)))
        self.dialer = dialer
        self.settings = ExchangeSettings(configuration)
        self.clock = clock
        // Connections in memory have no descriptors, so closing them would help nothing else.
        self.others = dialer.connector is any DescriptorConnector ? .process : IdleConnections()
        self.others.add(self)
    }

    var counts: (idle: Int, lent: Int, waiting: Int) { self.locked.withLock { $0.machine.counts } }

    /// Lends a slot, which the caller gives back, detaches or discards: a free one, or the first that another call gives back or a
    /// new connection provides.
    func slot(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        isFresh: Bool,
        goesFirst: Bool
    ) async throws(ClientError) -> Slot {
        let (acquisition, turn, shared) = self.acquire(target, isFresh: isFresh, goesFirst: goesFirst)
        switch (acquisition, turn) {
        case (.use(let pooled, let use), _):
            return try await self.checked(pooled, use, target, for: call, sharedBy: shared)
        case (.dial(let dial, let waiter), let turn?):
            let running = self.begin(dial, target, for: call)
            return try await self.wait(Wait(waiter: waiter, turn: turn, dial: running), target, for: call)
        case (.wait(let waiter), let turn?):
            call.observer?.didReach(.waiting)
            self.heldBodies.discard(of: call.number)  // an unread body of the call may hold the connection
            return try await self.wait(Wait(waiter: waiter, turn: turn), target, for: call)
        default:
            throw .connectionLost(.shutDown, call.context(.wait))
        }
    }

    /// Lends a slot of an open session that fulfils a condition; never waits.
    func openSlot(_ target: ConnectionTarget, where isSuitable: (any HTTPSession) -> Bool) -> Slot? {
        var lent: (PooledSession, Machine.Use)?
        self.perform { locked in
            var effects: [Machine.Effect] = []
            // Suitable sessions are those of HTTP/2. `isReady` of HTTP/1.1 may run actions, which must not happen here.
            lent = locked.machine.acquireOpen(target, now: self.clock.now, &effects) {
                isSuitable($0.session) && $0.session.isReady
            }
            return effects
        }
        return lent.map { pooled, use in Slot(pooled, of: self, isReused: use.isReused, wasIdle: use.wasIdle) }
    }

    private func acquire(
        _ target: ConnectionTarget,
        isFresh: Bool,
        goesFirst: Bool
    ) -> (Machine.Acquisition, Turn?, TLSFacts?) {
        // Nearly every call runs this method, and nearly none has effects.
        let (acquisition, turn, tls, effects) = self.locked.withLock {
            locked -> (Machine.Acquisition, Turn?, TLSFacts?, [Machine.Effect]) in
            var effects: [Machine.Effect] = []
            if !isFresh, let (share, use) = locked.takeShare(of: target, now: self.clock.now, &effects) {
                return (.use(share.pooled, use), nil, share.tls, effects)
            }
            let acquisition = locked.machine.acquire(
                target,
                isFresh: isFresh,
                mayMultiplex: target.versions != .http1,
                goesFirst: goesFirst,
                now: self.clock.now,
                &effects
            )
            switch acquisition {
            case .dial(_, let waiter), .wait(let waiter):
                return (acquisition, locked.addTurn(of: waiter), nil, effects)
            case .use, .refused: return (acquisition, nil, nil, effects)
            }
        }
        if !effects.isEmpty { self.perform { _ in effects } }
        return (acquisition, turn, tls)
    }

    // MARK: Waiting

    private struct Wait {
        let waiter: Machine.Waiter
        var turn: Turn
        var dial: RunningDial?
    }

    @inline(never)  // few calls wait, so the caller's stack frame should not contain that of this method
    private func wait(
        _ wait: Wait,
        _ target: ConnectionTarget,
        for call: HTTPCall
    ) async throws(ClientError) -> Slot {
        var wait = wait
        while true {
            let outcome: Outcome
            do throws(ConnectionError) {
                // A dial has time limits of its own, and its error names the phase in which a limit passed.
                let deadline = wait.dial == nil ? call.deadline(.connection, call.timeouts.connection) : nil
                outcome = try await wait.turn.success(until: deadline, on: self.clock)
            } catch {
                throw await self.giveUp(wait, error, call)
            }
            switch outcome {
            case .failed(let error):
                throw error
            case .granted(.use(let pooled, let use), _):
                return try await self.checked(pooled, use, target, for: call)
            case .granted(.dial(let dial), let next):
                wait.dial = self.begin(dial, target, for: call)
                if let next { wait.turn = next }
            case .granted(.again, _):
                return try await self.slot(target, for: call, isFresh: false, goesFirst: true)
            case .granted(.wait, let next):
                self.heldBodies.discard(of: call.number)
                wait.dial = nil
                if let next { wait.turn = next }
            }
        }
    }

    /// Ends the wait of a call; if no other call needs its dial, cancels the dial, and waits until its descriptor is closed.
    private func giveUp(_ wait: Wait, _ error: ConnectionError, _ call: HTTPCall) async -> ClientError {
        let phase = wait.dial?.observer.phase ?? .wait
        var hasOpened = false
        self.perform { locked in
            locked.turns[wait.waiter] = nil
            hasOpened = !locked.dials.values.contains { $0 === wait.dial }
            return locked.machine.abandoned(wait.waiter)
        }
        // If the dial has just ended, its task may still be about to close a connection that no call needs.
        if hasOpened { await wait.dial?.waitForEnd() } else { await wait.dial?.waitIfCancelled() }
        // Only the shutdown of the pool ends a wait with this error.
        if case .closed = error { return .connectionLost(.shutDown, call.context(.wait)) }
        return call.error(error, phase)
    }

    /// Returns the slot of a granted session, or of another one if the server has closed it or sent unsolicited bytes meanwhile.
    private func checked(
        _ pooled: PooledSession,
        _ use: Machine.Use,
        _ target: ConnectionTarget,
        for call: HTTPCall,
        sharedBy tls: TLSFacts? = nil
    ) async throws(ClientError) -> Slot {
        guard use.isReused, !pooled.session.isReady else {
            return Slot(pooled, of: self, isReused: use.isReused, wasIdle: use.wasIdle, sharedBy: tls)
        }
        guard pooled.session.isMultiplexed else { return try await self.replace(pooled, target, for: call) }
        // The running exchanges go on. The session is about to report that it begins no further exchanges.
        self.ended(pooled.number)
        self.takeBack(pooled)
        return try await self.slot(target, for: call, isFresh: false, goesFirst: true)
    }

    /// Begins a dial in place of a session that has ended while it was idle; the call waits at the head of the queue.
    private func replace(
        _ pooled: PooledSession,
        _ target: ConnectionTarget,
        for call: HTTPCall
    ) async throws(ClientError) -> Slot {
        await pooled.session.closeAndWait()
        let replacement = self.locked.withLock { locked in
            locked.machine.replaced(pooled.number).map { dial, waiter in
                (dial, Wait(waiter: waiter, turn: locked.addTurn(of: waiter)))
            }
        }
        guard case (let dial, var wait)? = replacement else { throw .connectionLost(.shutDown, call.context(.wait)) }
        wait.dial = self.begin(dial, target, for: call)
        return try await self.wait(wait, target, for: call)
    }

    // MARK: Dials

    private func begin(_ dial: Machine.Dial, _ target: ConnectionTarget, for call: HTTPCall) -> RunningDial? {
        let running = RunningDial(for: call, through: target.route)
        let isWanted = self.locked.withLock { locked in
            guard locked.machine.isWanted(dial) else { return false }
            locked.dials[dial] = running
            return true
        }
        guard isWanted else {
            self.perform { $0.machine.dialFailed(dial) }
            return nil
        }
        let observer = running.observer
        running.run(near: self.dialer.connector.executor) {
            do throws(ClientError) {
                let established = try await self.established(target, for: call, reportingTo: observer)
                if let established {
                    self.opened(dial, established, to: target, by: call)
                } else {
                    self.perform { locked in
                        locked.dials[dial] = nil
                        return locked.machine.dialUnneeded(dial)
                    }
                }
            } catch {
                self.failed(dial, error)
            }
        }
        return running
    }

    /// Makes a connection; if no descriptor is free, closes an idle connection of this pool, or else of another pool, and retries.
    private func established(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver
    ) async throws(ClientError) -> EstablishedConnection? {
        try await self.others.opening(preferring: self, whileShort: \.saysNoDescriptorIsFree) {
            () async throws(ClientError) in
            try await self.dialer.dial(target, for: call, reportingTo: observer) {
                (proxyTarget, isFresh, goesFirst) throws(ClientError) in
                try await self.slot(proxyTarget, for: call, isFresh: isFresh, goesFirst: goesFirst)
            } unless: { addresses in
                await self.shareSession(with: target, at: addresses)
            }
        }
    }

    private func opened(
        _ dial: Machine.Dial,
        _ established: EstablishedConnection,
        to target: ConnectionTarget,
        by call: HTTPCall
    ) {
        let session = self.session(over: established, to: target)
        let now = self.clock.now
        var opened: PooledSession?
        self.perform { locked in
            locked.dials[dial] = nil
            return locked.machine.opened(
                dial,
                capacity: session.capacity,
                isMultiplexed: session.isMultiplexed,
                isShared: !established.isForOneCall,
                now: now
            ) { number in
                let pooled = PooledSession(session, established, to: target, number: number, dialedBy: call.number)
                opened = pooled
                return pooled
            }
        }
        guard let number = opened?.number else { return }
        session.start { [weak self] event in
            guard let self else { return }
            switch event {
            case .capacityChanged(let capacity): self.perform { $0.machine.capacityChanged(number, to: capacity) }
            case .ended: self.ended(number)
            }
        }
    }

    private func ended(_ number: SessionNumber) {
        self.perform { locked in
            locked.sharedSessions.remove(number)
            return locked.machine.ended(number)
        }
    }

    private func session(over established: EstablishedConnection, to target: ConnectionTarget) -> any HTTPSession {
        established.usesHTTP2(for: target)
            ? HTTP2Session(established.connection, self.settings, clock: self.clock, roundTrip: established.roundTrip)
            : HTTP1Session(established.connection, self.settings)
    }

    private func failed(_ dial: Machine.Dial, _ error: ClientError) {
        self.perform(failing: error) { locked in
            locked.dials[dial] = nil
            return locked.machine.dialFailed(dial)
        }
    }

    // MARK: Slots

    func takeBack(_ pooled: PooledSession) {
        // No other call may use it, and this call asks for another one.
        guard !pooled.established.isForOneCall else { return pooled.session.close { self.forget(pooled) } }
        let now = self.clock.now
        self.perform { $0.machine.slotReturned(pooled.number, now: now) }
    }

    func forget(_ pooled: PooledSession) {
        self.perform { locked in
            locked.sharedSessions.remove(pooled.number)
            return locked.machine.closed(pooled.number)
        }
    }

    func shutDown() {
        // The turns and the machine end under one lock: otherwise a call that learns of the end first would hand its
        // dial over to another call.
        var turns: [Turn] = []
        self.perform { locked in
            turns = Array(locked.turns.values)
            locked.turns = [:]
            return locked.machine.shutDown()
        }
        for turn in turns { turn.resume(with: .failure(.closed)) }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }
}
