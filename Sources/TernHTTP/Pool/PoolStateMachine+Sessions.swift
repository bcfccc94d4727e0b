// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

extension PoolStateMachine {
    mutating func slotReturned(_ number: MemberNumber, now: ClockInstant) -> [Effect] {
        var effects: [Effect] = []
        guard self.members[number.index]?.number == number, let back = self.members[number.index]?.takeBack() else {
            return effects
        }
        if back.phase == .open, back.isIdle { self.idleCount += 1 }
        if back.phase == .open, back.isFirst { self.hosts[back.host].available.append(number.index) }
        if self.isShutDown || back.phase == .draining {
            if back.isIdle, back.phase != .closing { self.close(number.index, &effects) }
            return effects
        }
        if !self.hosts[back.host].waiters.isEmpty { self.serve(number.index, &effects) }
        self.settle(number, now: now, &effects)
        return effects
    }

    /// Handles a slot whose call had just given up: it goes to the next waiting call, or else an unused session is closed.
    mutating func slotDeclined(_ number: MemberNumber, wasReused: Bool, now: ClockInstant) -> [Effect] {
        guard !wasReused, let state = self.state(number), state.usedCount == 1 else {
            return self.slotReturned(number, now: now)
        }
        self.members[number.index]?.hasServed = false
        let host = state.host
        if !self.isShutDown, state.phase == .open, self.hosts[host].waiters.isEmpty {
            var effects: [Effect] = []
            self.close(number.index, &effects)
            return effects
        }
        return self.slotReturned(number, now: now)
    }

    /// Handles a session that is closed, or that serves another protocol, so that its place is free.
    mutating func closed(_ number: MemberNumber) -> [Effect] {
        var effects: [Effect] = []
        guard let state = self.remove(number) else { return effects }
        self.dialOn(state.host, &effects)
        self.forgetIfEmpty(state.host)
        return effects
    }

    mutating func capacityChanged(_ number: MemberNumber, to capacity: Int) -> [Effect] {
        var effects: [Effect] = []
        guard let before = self.state(number), before.phase == .open else { return effects }
        self.members[number.index]?.capacity = capacity
        let hasFreeSlot = before.usedCount < capacity
        if before.hasFreeSlot, !hasFreeSlot { self.makeUnavailable(number.index, of: before.host) }
        if !before.hasFreeSlot, hasFreeSlot { self.hosts[before.host].available.append(number.index) }
        self.serve(number.index, &effects)
        return effects
    }

    /// Handles ``SessionEvent/ended``: an idle session is closed now, and one in use at the end of its exchanges.
    mutating func ended(_ number: MemberNumber) -> [Effect] {
        var effects: [Effect] = []
        guard let state = self.state(number), state.phase == .open else { return effects }
        if state.usedCount == 0 {
            self.close(number.index, &effects)
        } else {
            self.makeUnavailable(number.index, of: state.host)
            self.members[number.index]?.phase = .draining
        }
        return effects
    }

    // MARK: Idle sessions

    /// Frees a descriptor: begins to close the session that has been idle longest, on any host.
    mutating func ranOutOfDescriptors() -> Member? {
        var effects: [Effect] = []
        self.closeOldest(&effects)
        guard case .close(let member)? = effects.first else { return nil }
        return member
    }

    /// Closes sessions that were idle too long, and begins dials for calls that have waited long enough for the dials of others.
    mutating func timerFired(now: ClockInstant) -> [Effect] {
        var effects: [Effect] = []
        self.armedInstant = nil
        if let instant = self.closeExpired(now: now, &effects) { self.arm(at: instant, &effects) }
        if let instant = self.dialLateHosts(now: now, &effects) { self.arm(at: instant, &effects) }
        return effects
    }

    private mutating func closeExpired(now: ClockInstant, _ effects: inout [Effect]) -> ClockInstant? {
        var oldest: ClockInstant?
        for (index, since) in self.idleSessions {
            if since.advanced(by: self.configuration.idleTimeout) <= now {
                self.close(index, &effects)
            } else {
                oldest = min(oldest ?? since, since)
            }
        }
        return oldest?.advanced(by: self.configuration.idleTimeout)
    }

    mutating func arm(at instant: ClockInstant, _ effects: inout [Effect]) {
        if let armed = self.armedInstant, armed <= instant { return }
        self.armedInstant = instant
        effects.append(.armTimer(at: instant))
    }

    /// Shuts down: closes idle sessions now and the others when their exchanges have ended, cancels dials, and lends no more slots.
    mutating func shutDown() -> [Effect] {
        self.isShutDown = true
        self.armedInstant = nil
        var effects: [Effect] = []
        for (index, _) in self.idleSessions { self.close(index, &effects) }
        for host in self.hosts.indices {
            for dial in self.hosts[host].dials where !dial.isCancelled {
                self.cancel(dial.dial)
                effects.append(.cancel(dial.dial))
            }
            self.hosts[host].waiters = []
            self.forgetIfEmpty(host)
        }
        return effects
    }

    // MARK: Parts

    /// Closes an idle session if the host is at its limit and the next waiting call needs a new session.
    ///
    /// A call waits for a session whose server allows no exchanges: "A value of 0 […] SHOULD NOT be treated as special by endpoints"
    /// (RFC 9113 §6.5.2).
    mutating func makeRoom(in host: HostNumber, _ effects: inout [Effect]) {
        guard self.isFull(host), let first = self.hosts[host].waiters.first(where: { $0.dial == nil }), first.isFresh
        else { return }
        self.closeOldest(&effects) { $0.host == host }
    }

    /// Keeps a session idle if no waiting call has taken it, closes the one idle longest if there are too many, and sets the timer.
    mutating func settle(_ number: MemberNumber, now: ClockInstant, _ effects: inout [Effect]) {
        guard self.isIdle(number), let host = self.members[number.index]?.host else { return }
        self.members[number.index]?.idleSince = now
        self.makeRoom(in: host, &effects)
        if self.idleCount > self.configuration.maximumIdleConnections { self.closeOldest(&effects) }
        self.arm(at: now.advanced(by: self.configuration.idleTimeout), &effects)
    }

    private mutating func closeOldest(_ effects: inout [Effect], where isMeant: (MemberState) -> Bool = { _ in true }) {
        let meant = self.idleSessions.filter { index, _ in self.members[index].map(isMeant) ?? false }
        if let oldest = meant.min(by: { $0.since < $1.since }) { self.close(oldest.index, &effects) }
    }

    /// The sessions without exchanges, not only those with a free slot: a server of HTTP/2 may allow no streams for a while.
    private var idleSessions: [(index: Int, since: ClockInstant)] {
        self.members.indices.compactMap { index in
            guard let state = self.members[index], state.isIdle else { return nil }
            return (index, state.idleSince)
        }
    }
}
