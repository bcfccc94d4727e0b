// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

extension PoolStateMachine {
    /// Adds the connection of a dial as a session; only the call that began the dial may use it, unless `isShared`.
    mutating func opened(
        _ dial: Dial,
        capacity: Int,
        isMultiplexed: Bool = false,
        isShared: Bool,
        now: ClockInstant,
        _ makeMember: (MemberNumber) -> Member
    ) -> [Effect] {
        var effects: [Effect] = []
        guard let state = self.remove(dial) else { return effects }
        // Calls that each need their own session must not wait for each other's dials.
        self.hosts[dial.host].multiplexing = isMultiplexed && isShared ? .yes : .no
        self.hosts[dial.host].maximumDialCount = 1
        self.hosts[dial.host].nextDialInstant = nil
        let number = self.add(to: dial.host, capacity: isShared ? capacity : 1, now: now, makeMember)
        let owner = self.clearDial(dial, of: state)
        guard !self.isShutDown else {
            self.close(number.index, &effects)
            return effects
        }
        if isShared {
            self.serve(number.index, &effects)
        } else if let owner, self.hosts[dial.host].waiters[owner].waiter == state.initiator {
            self.grantSlot(of: number.index, toWaiterAt: owner, &effects)
            // No other call may ever use the session, even if the server allows more exchanges, or if this call gives up.
            self.members[number.index]?.phase = .draining
        } else {
            self.close(number.index, &effects)
        }
        // The new session may have served another call, which was ahead in the queue. Then the call that began the dial
        // continues to wait.
        if let waiter = state.waiter, waiter == state.initiator,
            self.hosts[dial.host].waiters.contains(where: { $0.waiter == waiter })
        {
            effects.append(.resume(waiter, .wait))
        }
        if isMultiplexed { self.cancelSpareDials(of: dial.host, &effects) }
        self.dialOn(dial.host, &effects)
        self.planDial(of: dial.host, now: now, &effects)
        // A dial that was cancelled because no call needed it may still have succeeded.
        if state.isCancelled, self.state(number)?.isIdle == true { self.close(number.index, &effects) }
        self.settle(number, now: now, &effects)
        return effects
    }

    mutating func dialFailed(_ dial: Dial) -> [Effect] {
        var effects: [Effect] = []
        guard let state = self.remove(dial) else { return effects }
        if let index = self.clearDial(dial, of: state),
            self.hosts[dial.host].waiters[index].waiter == state.initiator, !state.isCancelled
        {
            effects.append(.fail(self.hosts[dial.host].waiters.remove(at: index).waiter))
        }
        // The calls that have waited for this dial must not wait for another dial that may fail, too.
        if !state.isCancelled { self.hosts[dial.host].maximumDialCount = .max }
        self.dialOn(dial.host, &effects)
        self.forgetIfEmpty(dial.host)
        return effects
    }

    /// Makes all waiting calls ask once more, because a session of another host also serves them.
    mutating func dialUnneeded(_ dial: Dial) -> [Effect] {
        var effects: [Effect] = []
        guard self.remove(dial) != nil else { return effects }
        for waiter in self.hosts[dial.host].waiters { effects.append(.resume(waiter.waiter, .again)) }
        self.hosts[dial.host].waiters.removeAll()
        self.hosts[dial.host].nextDialInstant = nil
        for state in self.hosts[dial.host].dials where !state.isCancelled {
            self.cancel(state.dial)
            effects.append(.cancel(state.dial))
        }
        self.forgetIfEmpty(dial.host)
        return effects
    }

    /// Begins another dial for each host whose calls have waited long enough; returns the next instant to call this method.
    mutating func dialLateHosts(now: ClockInstant, _ effects: inout [Effect]) -> ClockInstant? {
        var next: ClockInstant?
        for host in self.hosts.indices {
            guard let instant = self.hosts[host].nextDialInstant else { continue }
            if instant <= now {
                self.hosts[host].nextDialInstant = nil
                if self.mustShareDials(host) { self.hosts[host].maximumDialCount += 1 }
                self.dialOn(host, &effects)
                self.hosts[host].nextDialInstant = self.awaitsDial(host) ? now.advanced(by: Self.dialDelay) : nil
            }
            if let instant = self.hosts[host].nextDialInstant { next = min(next ?? instant, instant) }
        }
        return next
    }

    /// Plans another dial, if calls wait without a dial and may have to share the dials of other calls.
    mutating func planDial(of host: HostNumber, now: ClockInstant, _ effects: inout [Effect]) {
        guard self.hosts[host].nextDialInstant == nil, self.awaitsDial(host) else { return }
        let instant = now.advanced(by: Self.dialDelay)
        self.hosts[host].nextDialInstant = instant
        self.arm(at: instant, &effects)
    }

    func isWanted(_ dial: Dial) -> Bool {
        self.hosts[dial.host].dials.contains { $0.dial == dial && !$0.isCancelled }
    }

    // MARK: Parts

    /// Assigns a running dial that has no call to the waiting call; otherwise returns a new dial, if the host may begin one.
    mutating func beginDial(forWaiterAt index: Int, of host: HostNumber) -> Dial? {
        let waiter = self.hosts[host].waiters[index].waiter
        if let spare = self.hosts[host].dials.firstIndex(where: { $0.waiter == nil && !$0.isCancelled }) {
            self.hosts[host].dials[spare].waiter = waiter
            self.hosts[host].waiters[index].dial = self.hosts[host].dials[spare].dial
            return nil
        }
        return self.isFull(host) || self.mustShareDials(host) ? nil : self.newDial(forWaiterAt: index, of: host)
    }

    /// Returns whether the session that one of the running dials makes may serve all calls, so that no further one may begin.
    private func mustShareDials(_ host: HostNumber) -> Bool {
        let state = self.hosts[host]
        return state.multiplexing != .no && state.dials.count(where: { !$0.isCancelled }) >= state.maximumDialCount
    }

    /// Returns whether calls wait without a dial, even if the host is full now, because it may have room at the next instant.
    private func awaitsDial(_ host: HostNumber) -> Bool {
        self.hosts[host].multiplexing != .no && self.hosts[host].waiters.contains { $0.dial == nil }
    }

    private mutating func cancelSpareDials(of host: HostNumber, _ effects: inout [Effect]) {
        for state in self.hosts[host].dials where state.waiter == nil && !state.isCancelled {
            self.cancel(state.dial)
            effects.append(.cancel(state.dial))
        }
    }

    mutating func dialOn(_ host: HostNumber, _ effects: inout [Effect]) {
        guard !self.isShutDown else { return }
        while let index = self.hosts[host].waiters.firstIndex(where: { $0.dial == nil }) {
            if let dial = self.beginDial(forWaiterAt: index, of: host) {
                effects.append(.resume(self.hosts[host].waiters[index].waiter, .dial(dial)))
            } else if self.hosts[host].waiters[index].dial == nil {
                return
            }
        }
    }

    mutating func serve(_ index: Int, _ effects: inout [Effect]) {
        while let state = self.members[index], state.hasFreeSlot,
            let first = self.hosts[state.host].waiters.firstIndex(where: { !$0.isFresh || !state.hasServed })
        {
            self.grantSlot(of: index, toWaiterAt: first, &effects)
        }
    }

    private mutating func grantSlot(of index: Int, toWaiterAt position: Int, _ effects: inout [Effect]) {
        guard let host = self.members[index]?.host, let (member, use) = self.take(index) else { return }
        let state = self.hosts[host].waiters.remove(at: position)
        effects.append(.resume(state.waiter, .use(member, use)))
        guard let dial = state.dial else { return }
        effects.append(.detach(dial))
        _ = self.handOver(dial, &effects)
    }

    /// Assigns a dial to the first waiting call without one; returns `false` if the dial is cancelled, or no waiting call needs it.
    mutating func handOver(_ dial: Dial, _ effects: inout [Effect]) -> Bool {
        guard let place = self.hosts[dial.host].dials.firstIndex(where: { $0.dial == dial }) else { return true }
        effects.append(.detach(dial))
        guard !self.hosts[dial.host].dials[place].isCancelled,
            let index = self.hosts[dial.host].waiters.firstIndex(where: { $0.dial == nil })
        else {
            self.hosts[dial.host].dials[place].waiter = nil
            return false
        }
        self.hosts[dial.host].dials[place].waiter = self.hosts[dial.host].waiters[index].waiter
        self.hosts[dial.host].waiters[index].dial = dial
        return true
    }

    mutating func cancel(_ dial: Dial) {
        guard let place = self.hosts[dial.host].dials.firstIndex(where: { $0.dial == dial }) else { return }
        self.hosts[dial.host].dials[place].isCancelled = true
        self.hosts[dial.host].dials[place].waiter = nil
    }

    private mutating func remove(_ dial: Dial) -> DialState? {
        guard let place = self.hosts[dial.host].dials.firstIndex(where: { $0.dial == dial }) else { return nil }
        return self.hosts[dial.host].dials.remove(at: place)
    }

    /// Removes a finished dial from the call to which it was assigned; returns the place of that call in the queue.
    private mutating func clearDial(_ dial: Dial, of state: DialState) -> Int? {
        guard let waiter = state.waiter,
            let index = self.hosts[dial.host].waiters.firstIndex(where: { $0.waiter == waiter })
        else { return nil }
        self.hosts[dial.host].waiters[index].dial = nil
        return index
    }
}
