// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernRequests
import TernTransport

/// Lends connections: performs what the pool's state machine decides, outside its lock.
final class ConnectionPool: Sendable {
    private typealias Machine = PoolStateMachine<ConnectionTarget, PooledConnection>
    typealias HostNumber = Int
    private typealias Turn = Suspension<Result<Machine.Grant, ConnectionError>>

    private struct Locked: TimedState {
        var machine: Machine
        var turns: [Machine.Waiter: Turn] = [:]
        var timer: ScheduledAction?

        var armedInstant: Instant? { self.machine.armedInstant }
    }

    private let locked: Mutex<Locked>
    let heldBodies = HeldBodies()

    private let dialer: Dialer
    private let clock: any TransportClock

    init(_ configuration: PoolConfiguration, dialer: Dialer, clock: any TransportClock) {
        self.locked = Mutex(Locked(machine: Machine(configuration)))
        self.dialer = dialer
        self.clock = clock
    }

    /// How many connections are idle and lent, and how many calls wait.
    var counts: (idle: Int, lent: Int, waiting: Int) { self.locked.withLock { $0.machine.counts } }

    /// Lends a connection for one exchange, waiting for one or making one.
    ///
    /// - Parameters:
    ///   - target: what the connection must be connected to.
    ///   - call: who needs it, and how long it may wait.
    ///   - isFresh: whether the connection must be a new one.
    /// - Returns: the connection, to be settled by the caller.
    /// - Throws: `ClientError`: why there is none.
    func lease(
        _ target: ConnectionTarget,
        for call: Call,
        isFresh: Bool
    ) async throws(ClientError) -> Lease {
        let (acquisition, turn) = self.acquire(target, isFresh: isFresh)
        let grant: Machine.Grant
        switch (acquisition, turn) {
        case (.granted(let now), _):
            grant = now
        case (.replaced(let member, let host), _):
            await member.connection.closeAndWait()
            grant = .connect(host)
        case (.wait(let waiter), let turn?):
            call.observer?.didReach(.waiting)
            // It may be the call itself that has the connection it waits for.
            self.heldBodies.discard(of: call.number)
            grant = try await self.wait(waiter, turn, for: call)
        case (.refused, _), (.wait, nil):
            throw .connectionLost(.shutDown, call.context(.wait))
        }
        switch grant {
        case .connect(let host):
            return try await self.connect(to: target, host, for: call)
        case .reuse(let member):
            // The server may have closed it, or sent unasked bytes, while it was idle. Then another is made
            // in its place, so that the call does not lose its turn.
            if !isFresh, member.connection.isReadyForExchange { return Lease(member, of: self, isReused: true) }
            await member.connection.closeAndWait()
            return try await self.connect(to: target, member.host, for: call)
        }
    }

    private func acquire(_ target: ConnectionTarget, isFresh: Bool) -> (Machine.Acquisition, Turn?) {
        self.locked.withLock { locked in
            let acquisition = locked.machine.acquire(target, isFresh: isFresh)
            guard case .wait(let waiter) = acquisition else { return (acquisition, nil) }
            let turn = Turn()
            locked.turns[waiter] = turn
            return (acquisition, turn)
        }
    }

    @inline(never)  // few calls wait; those that do not would carry its frame
    private func wait(
        _ waiter: Machine.Waiter,
        _ turn: Turn,
        for call: Call
    ) async throws(ClientError) -> Machine.Grant {
        do throws(ConnectionError) {
            let deadline = call.deadline(.connection, call.timeouts.connection)
            return try await turn.success(until: deadline, on: self.clock)
        } catch {
            self.locked.withLock { locked in
                locked.turns[waiter] = nil
                locked.machine.abandoned(waiter)
            }
            // Only shutting down closes what waits.
            if case .closed = error { throw .connectionLost(.shutDown, call.context(.wait)) }
            throw call.error(error, .wait)
        }
    }

    private func connect(
        to target: ConnectionTarget,
        _ host: HostNumber,
        for call: Call
    ) async throws(ClientError) -> Lease {
        do throws(ClientError) {
            let line = try await self.dial(target, for: call)
            let member = PooledConnection(line, to: host)
            line.connection.onEnd { [weak self, weak member] in
                guard let self, let member else { return }
                self.perform { $0.machine.ended(member, of: host) }
            }
            return Lease(member, of: self, isReused: false)
        } catch {
            self.discard(host)
            throw error
        }
    }

    /// Dials; again as often as that fails for want of a descriptor and an idle connection can give up its own.
    private func dial(_ target: ConnectionTarget, for call: Call) async throws(ClientError) -> Dialer.Line {
        while true {
            do throws(ClientError) {
                return try await self.dialer.dial(target, for: call)
            } catch {
                guard case .connectionFailed(.tooManyOpenFiles, _) = error,
                    let idle = self.locked.withLock({ $0.machine.ranOutOfDescriptors() })
                else { throw error }
                await idle.connection.closeAndWait()
                self.discard(idle.host)
            }
        }
    }

    // MARK: Leases

    /// A lent connection may be used again.
    func takeBack(_ member: PooledConnection) {
        let now = self.clock.now
        self.perform { $0.machine.returned(member, of: member.host, now: now) }
        // Its end is reported once. If that was while it was lent, it would stay open until its idle time is over.
        if !member.connection.isReadyForExchange { self.perform { $0.machine.ended(member, of: member.host) } }
    }

    /// The place of a lent connection is free.
    func discard(_ host: HostNumber) { self.perform { $0.machine.discarded(host) } }

    /// Closes what is idle now, and what is lent when it comes back.
    func shutDown() {
        let turns = self.locked.withLock { locked in
            let turns = locked.turns.values
            locked.turns = [:]
            return Array(turns)
        }
        for turn in turns { turn.resume(with: .failure(.closed)) }
        self.perform { $0.machine.shutDown() }
        self.locked.withLock { $0.timer.take() }?.cancel()
    }

    // MARK: Effects

    private func perform(_ event: (inout Locked) -> Machine.Effects) {
        let (effects, turn) = self.locked.withLock { locked in
            let effects = event(&locked)
            return (effects, effects.resume.flatMap { locked.turns.removeValue(forKey: $0.waiter) })
        }
        for member in effects.close { member.connection.close { self.discard(member.host) } }
        if let instant = effects.armTimer { self.arm(at: instant) }
        guard let grant = effects.resume?.grant else { return }
        if turn?.resume(with: .success(grant)) != true { self.decline(grant) }
    }

    /// A waiter was granted what it no longer wants.
    private func decline(_ grant: Machine.Grant) {
        switch grant {
        case .reuse(let member): self.takeBack(member)
        case .connect(let host): self.discard(host)
        }
    }

    private func arm(at instant: Instant) {
        self.locked.arm(at: instant, on: self.clock) { [weak self] in
            guard let self else { return }
            let now = self.clock.now
            self.perform { $0.machine.timerFired(now: now) }
        }
    }
}
