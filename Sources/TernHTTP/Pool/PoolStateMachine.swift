// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernTransport

/// Which connections are free, which are lent, and who waits: events in, actions out, no effects.
///
/// Connections are lent one exchange at a time. Of several idle ones the one used last is lent first, because it is the
/// least likely to have been closed by the server. Calls wait in the order in which they came.
///
/// A host is looked up by its key once, when a call needs a connection; from then on its number stands for it.
struct PoolStateMachine<Key: Hashable & Sendable, Member: AnyObject & Sendable>: Sendable {
    /// A host that the pool knows; valid while anything of it is lent, idle or waiting.
    typealias HostNumber = Int

    /// A call that waits.
    struct Waiter: Hashable, Sendable {
        fileprivate var host: HostNumber
        fileprivate var number: Int
    }

    /// What a call may do.
    enum Grant: Sendable {
        /// Use this connection, which was idle.
        case reuse(Member)
        /// Make a connection to this host; a place is reserved for it.
        case connect(HostNumber)
    }

    /// What to do for a call that needs a connection.
    enum Acquisition {
        /// Go on.
        case granted(Grant)
        /// Close this idle connection and make another to this host in its place.
        case replaced(Member, HostNumber)
        /// Wait until an effect resumes this waiter.
        case wait(Waiter)
        /// The pool is shut down.
        case refused
    }

    /// What to do after an event.
    struct Effects {
        /// Let this waiter go on.
        var resume: (waiter: Waiter, grant: Grant)?
        /// Close these connections, and report each as ``discarded(_:)`` when it is closed: its place is taken until then.
        var close: [Member] = []
        /// Have ``timerFired(now:)`` called at this instant, in place of any instant named before.
        var armTimer: Instant?
    }

    private struct Idle {
        var member: Member
        var since: Instant
    }

    private struct Host {
        /// `nil` when the host is forgotten and its number free.
        var key: Key?
        /// Oldest first.
        var idle: [Idle] = []
        /// Lent connections, those being made and those being closed.
        var lentCount = 0
        var waiters = Deque<Waiter>()

        var isEmpty: Bool { self.lentCount == 0 && self.idle.isEmpty && self.waiters.isEmpty }
    }

    private var numbers: [Key: HostNumber] = [:]
    private var hosts: [Host] = []
    private var freeNumbers: [HostNumber] = []
    private var lastUsed: HostNumber?
    private var idleCount = 0
    private var waiterCount = 0
    private var isShutDown = false
    /// The instant that was last named to arm a timer, until it has come.
    private(set) var armedInstant: Instant?
    private let configuration: PoolConfiguration

    /// Creates an empty pool.
    init(_ configuration: PoolConfiguration) { self.configuration = configuration }

    /// How many connections the pool knows, and how many calls wait.
    var counts: (idle: Int, lent: Int, waiting: Int) {
        self.hosts.reduce((0, 0, 0)) { ($0.0 + $1.idle.count, $0.1 + $1.lentCount, $0.2 + $1.waiters.count) }
    }

    // MARK: Calls

    /// A call needs a connection; when `isFresh`, one that has not been used before.
    mutating func acquire(_ key: Key, isFresh: Bool = false) -> Acquisition {
        guard !self.isShutDown else { return .refused }
        let number = self.number(of: key)
        let maximumCount = max(1, self.configuration.maximumConnectionsPerHost)
        let isFull = self.hosts[number].lentCount + self.hosts[number].idle.count >= maximumCount
        if !isFresh, let idle = self.hosts[number].idle.popLast() {
            self.idleCount -= 1
            self.hosts[number].lentCount += 1
            return .granted(.reuse(idle.member))
        }
        if isFull, !self.hosts[number].idle.isEmpty {
            self.idleCount -= 1
            self.hosts[number].lentCount += 1
            return .replaced(self.hosts[number].idle.removeFirst().member, number)
        }
        guard isFull else {
            self.hosts[number].lentCount += 1
            return .granted(.connect(number))
        }
        self.waiterCount += 1
        let waiter = Waiter(host: number, number: self.waiterCount)
        self.hosts[number].waiters.append(waiter)
        return .wait(waiter)
    }

    /// A waiting call gave up before it was resumed.
    mutating func abandoned(_ waiter: Waiter) {
        self.hosts[waiter.host].waiters.removeAll { $0 == waiter }
        self.forgetIfEmpty(waiter.host)
    }

    /// A lent connection came back and may be used again.
    mutating func returned(_ member: Member, of number: HostNumber, now: Instant) -> Effects {
        guard !self.isShutDown else { return Effects(close: [member]) }
        if let waiter = self.hosts[number].waiters.popFirst() { return Effects(resume: (waiter, .reuse(member))) }
        self.hosts[number].lentCount -= 1
        self.hosts[number].idle.append(Idle(member: member, since: now))
        self.idleCount += 1
        var effects = Effects()
        if self.idleCount > self.configuration.maximumIdleConnections { effects.close = self.evictOldest() }
        if self.armedInstant == nil {
            self.armedInstant = now.advanced(by: self.configuration.idleTimeout)
            effects.armTimer = self.armedInstant
        }
        return effects
    }

    /// A lent connection is gone, or could not be made: its place is free.
    mutating func discarded(_ number: HostNumber) -> Effects {
        if let waiter = self.hosts[number].waiters.popFirst() { return Effects(resume: (waiter, .connect(number))) }
        self.hosts[number].lentCount -= 1
        self.forgetIfEmpty(number)
        return Effects()
    }

    /// A connection could not be made because there are no descriptors left: gives the connection up that was idle longest,
    /// of whichever host.
    ///
    /// - Returns: the connection to close, if there is one; its place is taken until it is reported as ``discarded(_:)``.
    mutating func ranOutOfDescriptors() -> Member? { self.evictOldest().first }

    // MARK: Connections and the clock

    /// A connection ended by itself; does nothing unless it is idle.
    mutating func ended(_ member: Member, of number: HostNumber) -> Effects {
        guard let index = self.hosts[number].idle.firstIndex(where: { $0.member === member }) else {
            return Effects()
        }
        self.hosts[number].idle.remove(at: index)
        self.idleIsClosed(of: number)
        return Effects(close: [member])
    }

    /// The instant that was last named to arm a timer has come: connections that were idle too long go.
    mutating func timerFired(now: Instant) -> Effects {
        var effects = Effects()
        var oldest: Instant?
        for number in self.hosts.indices {
            let timeout = self.configuration.idleTimeout
            let expired = self.hosts[number].idle.prefix { $0.since.advanced(by: timeout) <= now }
            effects.close += expired.map(\.member)
            self.hosts[number].idle.removeFirst(expired.count)
            self.idleIsClosed(of: number, expired.count)
            if let first = self.hosts[number].idle.first { oldest = min(oldest ?? first.since, first.since) }
        }
        self.armedInstant = oldest?.advanced(by: self.configuration.idleTimeout)
        effects.armTimer = self.armedInstant
        return effects
    }

    /// The pool lends nothing any more; lent connections are closed when they come back.
    mutating func shutDown() -> Effects {
        self.isShutDown = true
        self.armedInstant = nil
        var effects = Effects()
        for number in self.hosts.indices {
            effects.close += self.hosts[number].idle.map(\.member)
            self.idleIsClosed(of: number, self.hosts[number].idle.count)
            self.hosts[number].idle = []
            self.hosts[number].waiters = []
            self.forgetIfEmpty(number)
        }
        return effects
    }

    // MARK: Parts

    /// The host's number; most calls go to the host that the call before went to.
    private mutating func number(of key: Key) -> HostNumber {
        if let lastUsed = self.lastUsed, self.hosts[lastUsed].key == key { return lastUsed }
        let number = self.numbers[key] ?? self.addHost(key)
        self.lastUsed = number
        return number
    }

    private mutating func addHost(_ key: Key) -> HostNumber {
        let number = self.freeNumbers.popLast() ?? self.hosts.count
        if number == self.hosts.count { self.hosts.append(Host()) }
        self.hosts[number].key = key
        self.numbers[key] = number
        return number
    }

    private mutating func forgetIfEmpty(_ number: HostNumber) {
        guard self.hosts[number].isEmpty, let key = self.hosts[number].key else { return }
        self.numbers[key] = nil
        self.hosts[number].key = nil
        self.freeNumbers.append(number)
    }

    private mutating func evictOldest() -> [Member] {
        var oldest: (number: HostNumber, since: Instant)?
        for number in self.hosts.indices {
            guard let since = self.hosts[number].idle.first?.since else { continue }
            if oldest.map({ since < $0.since }) ?? true { oldest = (number, since) }
        }
        guard let number = oldest?.number else { return [] }
        self.idleIsClosed(of: number)
        return [self.hosts[number].idle.removeFirst().member]
    }

    /// Idle connections are being closed, and keep their places until they are.
    private mutating func idleIsClosed(of number: HostNumber, _ count: Int = 1) {
        self.idleCount -= count
        self.hosts[number].lentCount += count
    }
}
