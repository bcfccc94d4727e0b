// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

extension PoolStateMachine {
    /// Handles a dial (the making of a connection) that has succeeded: adds its connection as a session.
    ///
    /// - Parameters:
    ///   - dial: The dial.
    ///   - capacity: The number of exchanges that the session serves at the same time.
    ///   - isMultiplexed: Whether the sessions of the host serve several exchanges at the same time. Defaults to
    ///     `false`.
    ///   - isShared: Whether any call may use the session; otherwise only the call that began the dial may use it.
    ///   - now: The current instant.
    ///   - makeMember: Creates the session with its number.
    /// - Returns: The effects to perform.
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

    /// Handles a dial (the making of a connection) that has failed or was cancelled, and left no connection open.
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

    /// Handles a dial that left no connection open, because a session of another host also serves the calls of this
    /// host: all waiting calls ask once more.
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

    /// Begins another dial for each host whose calls have waited long enough for the running dials; returns the next
    /// instant at which to call this method.
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

    /// Returns whether a call or the pool still needs the dial.
    func isWanted(_ dial: Dial) -> Bool {
        self.hosts[dial.host].dials.contains { $0.dial == dial && !$0.isCancelled }
    }

    // MARK: Parts

    /// Provides a dial (a connection that is being made) for a waiting call.
    ///
    /// If a running dial is assigned to no call, the method assigns that dial to the waiting call.
    ///
    /// - Returns: A new dial to begin; `nil` if a running dial was assigned, or if no further dial of the host may
    ///   begin now.
    mutating func beginDial(forWaiterAt index: Int, of host: HostNumber) -> Dial? {
        let waiter = self.hosts[host].waiters[index].waiter
        if let spare = self.hosts[host].dials.firstIndex(where: { $0.waiter == nil && !$0.isCancelled }) {
            self.hosts[host].dials[spare].waiter = waiter
            self.hosts[host].waiters[index].dial = self.hosts[host].dials[spare].dial
            return nil
        }
        return self.isFull(host) || self.mustShareDials(host) ? nil : self.newDial(forWaiterAt: index, of: host)
    }

    /// Returns whether no further dial may begin while the current dials are running, because the session that one of
    /// them makes may serve all calls.
    private func mustShareDials(_ host: HostNumber) -> Bool {
        let state = self.hosts[host]
        return state.multiplexing != .no && state.dials.count(where: { !$0.isCancelled }) >= state.maximumDialCount
    }

    /// Returns whether calls wait without a dial, and may have to share the dials of other calls.
    ///
    /// It does not matter whether the host is full now, because it may have room at the next instant.
    private func awaitsDial(_ host: HostNumber) -> Bool {
        self.hosts[host].multiplexing != .no && self.hosts[host].waiters.contains { $0.dial == nil }
    }

    /// Cancels the dials that are assigned to no call.
    private mutating func cancelSpareDials(of host: HostNumber, _ effects: inout [Effect]) {
        for state in self.hosts[host].dials where state.waiter == nil && !state.isCancelled {
            self.cancel(state.dial)
            effects.append(.cancel(state.dial))
        }
    }

    /// Provides dials for waiting calls that have none, as far as the limits of the host allow.
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

    /// Gives the free slots of a session to waiting calls.
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

    /// Assigns a dial to the first waiting call that has none.
    ///
    /// Returns `false` if the dial is cancelled, or if no waiting call needs a dial. If the dial has already ended,
    /// does nothing and returns `true`.
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

    /// Marks a dial that no call needs as cancelled.
    mutating func cancel(_ dial: Dial) {
        guard let place = self.hosts[dial.host].dials.firstIndex(where: { $0.dial == dial }) else { return }
        self.hosts[dial.host].dials[place].isCancelled = true
        self.hosts[dial.host].dials[place].waiter = nil
    }

    private mutating func remove(_ dial: Dial) -> DialState? {
        guard let place = self.hosts[dial.host].dials.firstIndex(where: { $0.dial == dial }) else { return nil }
        return self.hosts[dial.host].dials.remove(at: place)
    }

    /// Removes a finished dial from the call to which it was assigned.
    ///
    /// - Returns: The position of that call in the queue; `nil` if no call waits for the dial.
    private mutating func clearDial(_ dial: Dial, of state: DialState) -> Int? {
        guard let waiter = state.waiter,
            let index = self.hosts[dial.host].waiters.firstIndex(where: { $0.waiter == waiter })
        else { return nil }
        self.hosts[dial.host].waiters[index].dial = nil
        return index
    }
}
