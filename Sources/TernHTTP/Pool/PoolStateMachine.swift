// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Tracks which connections are free, which are being made (*dials*), and which calls wait, as the logic of ``ConnectionPool``.
///
/// Waiting calls get free slots in the order of the queue. If several sessions are free, a call gets the one that was used last.
/// A dial belongs to the pool, not to the call that began it, and its failure ends only the wait of that call. If a session may
/// serve several exchanges, only one dial of the host runs at a time until a dial fails, but another begins after each
/// ``dialDelay``, so that one silent address does not hold up all calls.
struct PoolStateMachine<Key: Hashable & Sendable, Member: Sendable>: Sendable {
    /// The number of a host, which is valid while the host has a session, a dial or a waiting call.
    typealias HostNumber = Int

    typealias MemberNumber = SessionNumber

    /// The time after which another dial begins while one is running, as in Happy Eyeballs (RFC 8305 §5).
    static var dialDelay: Duration { .milliseconds(250) }

    private var numbers: [Key: HostNumber] = [:]
    private var freeNumbers: [HostNumber] = []
    private var lastUsed: HostNumber?
    private var freeIndices: [Int] = []
    private var lastSerial = 0
    var hosts: [Host] = []
    var members: [MemberState?] = []
    var idleCount = 0
    var isShutDown = false
    /// The instant at which the timer must fire; `nil` when no timer is needed.
    var armedInstant: ClockInstant?
    let configuration: PoolConfiguration

    init(_ configuration: PoolConfiguration) { self.configuration = configuration }

    var counts: (idle: Int, lent: Int, waiting: Int) {
        self.hosts.reduce((self.idleCount, -self.idleCount, 0)) { sum, host in
            let waiting = host.waiters.count { $0.dial == nil }
            return (sum.0, sum.1 + host.sessionCount + host.dials.count, sum.2 + waiting)
        }
    }

    func isFull(_ host: HostNumber) -> Bool {
        let maximumCount = max(1, self.configuration.maximumConnectionsPerHost)
        return self.hosts[host].sessionCount + self.hosts[host].dials.count >= maximumCount
    }

    // MARK: Calls

    /// Handles a call that needs a slot; `goesFirst` tells whether it has asked before, and so goes before the others.
    mutating func acquire(
        _ key: Key,
        isFresh: Bool = false,
        mayMultiplex: Bool = false,
        goesFirst: Bool = false,
        now: @autoclosure () -> ClockInstant,
        _ effects: inout [Effect]
    ) -> Acquisition {
        guard !self.isShutDown else { return .refused }
        self.expire(now: now, &effects)
        let host = self.number(of: key, mayMultiplex: mayMultiplex)
        if !isFresh, let index = self.hosts[host].available.last, let (member, use) = self.take(index) {
            return .use(member, use)
        }
        let waiter = self.newWaiter(of: host)
        let waiters = self.hosts[host].waiters
        let place = goesFirst ? waiters.firstIndex { !$0.goesFirst } ?? waiters.count : waiters.count
        let state = WaiterState(waiter: waiter, isFresh: isFresh, goesFirst: goesFirst, dial: nil)
        self.hosts[host].waiters.insert(state, at: place)
        if let dial = self.beginDial(forWaiterAt: place, of: host) { return .dial(dial, waiter) }
        self.planDial(of: host, now: now(), &effects)
        self.makeRoom(in: host, &effects)
        return .wait(waiter)
    }

    mutating func acquireOpen(
        _ key: Key,
        now: @autoclosure () -> ClockInstant,
        _ effects: inout [Effect],
        where isSuitable: (Member) -> Bool
    ) -> (Member, Use)? {
        guard !self.isShutDown else { return nil }
        self.expire(now: now, &effects)
        guard let host = self.numbers[key] else { return nil }
        let index = self.hosts[host].available.last { index in
            self.members[index].map { isSuitable($0.member) } ?? false
        }
        return index.flatMap { self.take($0) }
    }

    mutating func acquire(
        _ number: MemberNumber,
        now: @autoclosure () -> ClockInstant,
        _ effects: inout [Effect]
    ) -> Use? {
        guard !self.isShutDown else { return nil }
        self.expire(now: now, &effects)
        guard self.hasFreeSlot(number) else { return nil }
        return self.take(number.index)?.1
    }

    func hasFreeSlot(_ number: MemberNumber) -> Bool { self.state(number)?.hasFreeSlot ?? false }

    func availableMembers(where isSuitable: (Member) -> Bool) -> [Member] {
        self.members.compactMap { state in
            guard let state, state.hasFreeSlot, isSuitable(state.member) else { return nil }
            return state.member
        }
    }

    /// Begins a dial in place of a closed session that turned out to be dead; `nil` if the pool is shut down.
    mutating func replaced(_ number: MemberNumber) -> (Dial, Waiter)? {
        guard let state = self.remove(number) else { return nil }
        guard !self.isShutDown else {
            self.forgetIfEmpty(state.host)
            return nil
        }
        let waiter = self.newWaiter(of: state.host)
        self.hosts[state.host].waiters.prepend(WaiterState(waiter: waiter, isFresh: false, goesFirst: true, dial: nil))
        return (self.newDial(forWaiterAt: 0, of: state.host), waiter)
    }

    mutating func abandoned(_ waiter: Waiter) -> [Effect] {
        var effects: [Effect] = []
        guard let index = self.hosts[waiter.host].waiters.firstIndex(where: { $0.waiter == waiter }) else {
            return effects
        }
        let state = self.hosts[waiter.host].waiters.remove(at: index)
        if let dial = state.dial, !self.handOver(dial, &effects) {
            self.cancel(dial)
            effects.append(.cancel(dial))
        }
        self.forgetIfEmpty(waiter.host)
        return effects
    }

    // MARK: Parts

    /// Does what the timer would have done: timers stop while the machine sleeps, and a call that comes first after that must not
    /// get a session whose idle time has passed long ago.
    mutating func expire(now: () -> ClockInstant, _ effects: inout [Effect]) {
        guard let armed = self.armedInstant else { return }
        let now = now()
        if armed <= now { effects += self.timerFired(now: now) }
    }

    mutating func take(_ index: Int) -> (Member, Use)? {
        guard let lent = self.members[index]?.lend() else { return nil }
        if lent.wasIdle { self.idleCount -= 1 }
        if lent.isLast { self.makeUnavailable(index, of: lent.host) }
        return (lent.member, Use(isReused: lent.isReused, wasIdle: lent.isReused && lent.wasIdle))
    }

    /// Removes a session, usually the last, from the list of the sessions with a free slot.
    mutating func makeUnavailable(_ index: Int, of host: HostNumber) {
        if self.hosts[host].available.last == index {
            self.hosts[host].available.removeLast()
        } else {
            self.hosts[host].available.removeAll { $0 == index }
        }
    }

    mutating func add(
        to host: HostNumber,
        capacity: Int,
        now: ClockInstant,
        _ makeMember: (MemberNumber) -> Member
    ) -> MemberNumber {
        self.lastSerial += 1
        let index = self.freeIndices.popLast() ?? self.members.count
        let number = MemberNumber(index: index, serial: self.lastSerial)
        if index == self.members.count { self.members.append(nil) }
        let member = makeMember(number)
        self.members[index] =
            MemberState(member: member, number: number, host: host, capacity: capacity, idleSince: now)
        self.hosts[host].available.append(index)
        self.hosts[host].sessionCount += 1
        self.idleCount += 1
        return number
    }

    func isIdle(_ number: MemberNumber) -> Bool {
        self.members[number.index]?.number == number && self.members[number.index]?.isIdle == true
    }

    func state(_ number: MemberNumber) -> MemberState? {
        guard let state = self.members[number.index], state.number == number else { return nil }
        return state
    }

    mutating func remove(_ number: MemberNumber) -> MemberState? {
        guard let state = self.state(number) else { return nil }
        if state.isIdle { self.idleCount -= 1 }
        self.makeUnavailable(number.index, of: state.host)
        self.members[number.index] = nil
        self.freeIndices.append(number.index)
        self.hosts[state.host].sessionCount -= 1
        return state
    }

    /// Begins to close a session, which keeps its place until it is closed.
    mutating func close(_ index: Int, _ effects: inout [Effect]) {
        guard let state = self.members[index] else { return }
        if state.isIdle { self.idleCount -= 1 }
        self.makeUnavailable(index, of: state.host)
        self.members[index]?.phase = .closing
        effects.append(.close(state.member))
    }

    private mutating func newWaiter(of host: HostNumber) -> Waiter {
        self.lastSerial += 1
        return Waiter(host: host, number: self.lastSerial)
    }

    mutating func newDial(forWaiterAt index: Int, of host: HostNumber) -> Dial {
        self.lastSerial += 1
        let dial = Dial(host: host, number: self.lastSerial)
        let waiter = self.hosts[host].waiters[index].waiter
        self.hosts[host].dials.append(DialState(dial: dial, initiator: waiter, waiter: waiter))
        self.hosts[host].waiters[index].dial = dial
        return dial
    }

    /// Returns the number of the host with a key; checks the last used host first, because most calls go to it.
    private mutating func number(of key: Key, mayMultiplex: Bool) -> HostNumber {
        if let lastUsed = self.lastUsed, self.hosts[lastUsed].key == key { return lastUsed }
        let number = self.numbers[key] ?? self.addHost(key, mayMultiplex: mayMultiplex)
        self.lastUsed = number
        return number
    }

    private mutating func addHost(_ key: Key, mayMultiplex: Bool) -> HostNumber {
        let number = self.freeNumbers.popLast() ?? self.hosts.count
        if number == self.hosts.count { self.hosts.append(Host()) }
        self.hosts[number].key = key
        self.hosts[number].multiplexing = mayMultiplex ? .unknown : .no
        self.hosts[number].maximumDialCount = 1
        self.hosts[number].nextDialInstant = nil
        self.numbers[key] = number
        return number
    }

    mutating func forgetIfEmpty(_ number: HostNumber) {
        guard self.hosts[number].isEmpty, let key = self.hosts[number].key else { return }
        self.numbers[key] = nil
        self.hosts[number].key = nil
        self.freeNumbers.append(number)
    }
}
