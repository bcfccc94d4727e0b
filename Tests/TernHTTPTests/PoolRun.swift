// SPDX-License-Identifier: Apache-2.0
import TernConnections
@testable import TernHTTP

/// Runs a pool's machine: its answers become texts, and its sessions (connections), dials and waiters get names.
struct PoolRun {
    typealias Machine = PoolStateMachine<String, String>

    private(set) var machine: Machine
    private var members: [String: Machine.MemberNumber] = [:]
    private var waiters: [String: Machine.Waiter] = [:]
    private var dials: [String: Machine.Dial] = [:]
    private var dialCount = 0
    /// Whether a session is closed as soon as the machine asks for it; otherwise `closed(_:)` closes it.
    private let closesAtOnce: Bool

    init(perHost: Int = 2, idle: Int = 10, closesAtOnce: Bool = true) {
        self.closesAtOnce = closesAtOnce
        self.machine = Machine(
            PoolConfiguration(
                maximumConnectionsPerHost: perHost,
                maximumIdleConnections: idle,
                idleTimeout: .seconds(60)
            )
        )
    }

    /// The numbers of idle sessions, of sessions and dials in use, and of waiting calls.
    var counts: [Int] { [self.machine.counts.idle, self.machine.counts.lent, self.machine.counts.waiting] }

    /// The instant of the timer, in seconds; `nil` without a timer.
    var armedSecond: Int64? { self.machine.armedInstant.map { $0.nanoseconds / 1_000_000_000 } }

    // MARK: Calls

    /// The answer: "use x", "reuse x", "dial d1", "wait" or "refused", and the effects behind it.
    mutating func acquire(
        _ host: String,
        fresh: Bool = false,
        multiplexing: Bool = false,
        first: Bool = false,
        at second: Double = 0,
        as waiter: String = "first"
    ) -> String {
        var effects: [Machine.Effect] = []
        let acquisition = self.machine.acquire(
            host,
            isFresh: fresh,
            mayMultiplex: multiplexing,
            goesFirst: first,
            now: .at(second),
            &effects
        )
        let answer: String
        switch acquisition {
        case .use(let member, let use): answer = use.isReused ? "reuse \(member)" : "use \(member)"
        case .dial(let dial, let number):
            self.waiters[waiter] = number
            answer = "dial \(self.name(dial))"
        case .wait(let number):
            self.waiters[waiter] = number
            answer = "wait"
        case .refused: answer = "refused"
        }
        return ([answer] + self.names(effects)).joined(separator: ", ")
    }

    /// Replaces a session that the machine granted, because its connection was already closed.
    mutating func replace(_ member: String, as waiter: String = "first") -> String? {
        guard let number = self.members[member], let (dial, new) = self.machine.replaced(number) else { return nil }
        self.waiters[waiter] = new
        return "dial \(self.name(dial))"
    }

    mutating func abandon(_ waiter: String) -> [String] {
        self.waiters[waiter].map { self.names(self.machine.abandoned($0)) } ?? ["?"]
    }

    // MARK: Dials

    mutating func open(
        _ dial: String,
        _ member: String,
        capacity: Int = 1,
        multiplexed: Bool = false,
        isShared: Bool = true,
        at second: Double = 0
    ) -> [String] {
        guard let dial = self.dials[dial] else { return ["?"] }
        var made: Machine.MemberNumber?
        let effects = self.machine.opened(
            dial,
            capacity: capacity,
            isMultiplexed: multiplexed,
            isShared: isShared,
            now: .at(second)
        ) { number in
            made = number
            return member
        }
        self.members[member] = made
        return self.names(effects)
    }

    mutating func fail(_ dial: String) -> [String] {
        self.dials[dial].map { self.names(self.machine.dialFailed($0)) } ?? ["?"]
    }

    func isWanted(_ dial: String) -> Bool { self.dials[dial].map { self.machine.isWanted($0) } ?? false }

    // MARK: Sessions

    mutating func back(_ member: String, at second: Double = 0) -> [String] {
        self.members[member].map { self.names(self.machine.slotReturned($0, now: .at(second))) } ?? ["?"]
    }

    mutating func decline(_ member: String, wasReused: Bool = false) -> [String] {
        guard let number = self.members[member] else { return ["?"] }
        return self.names(self.machine.slotDeclined(number, wasReused: wasReused, now: .at(0)))
    }

    mutating func closed(_ member: String) -> [String] {
        self.members[member].map { self.names(self.machine.closed($0)) } ?? ["?"]
    }

    mutating func end(_ member: String) -> [String] {
        self.members[member].map { self.names(self.machine.ended($0)) } ?? ["?"]
    }

    mutating func change(_ member: String, to capacity: Int) -> [String] {
        self.members[member].map { self.names(self.machine.capacityChanged($0, to: capacity)) } ?? ["?"]
    }

    mutating func runOutOfDescriptors() -> [String] {
        self.names(self.machine.ranOutOfDescriptors().map { [.close($0)] } ?? [])
    }

    mutating func fire(at second: Double) -> [String] { self.names(self.machine.timerFired(now: .at(second))) }

    mutating func shutDown() -> [String] { self.names(self.machine.shutDown()) }

    // MARK: Names

    /// Returns the names of the effects, except `.detach`, which concerns only observers.
    ///
    /// The effects of sessions that are closed at once follow.
    private mutating func names(_ effects: [Machine.Effect]) -> [String] {
        var names: [String] = []
        var closed: [String] = []
        for effect in effects {
            switch effect {
            case .close(let member):
                names.append("close \(member)")
                if self.closesAtOnce { closed.append(member) }
            case .cancel(let dial): names.append("cancel \(self.name(dial))")
            case .fail(let waiter): names.append("\(self.name(waiter)): failed")
            case .resume(let waiter, let grant): names.append("\(self.name(waiter)): \(self.name(grant))")
            case .armTimer(let instant): names.append("arm \(Self.text(instant))")
            case .detach: break
            }
        }
        for member in closed { names += self.closed(member) }
        return names
    }

    /// Returns the seconds of an instant, without decimals if there are none.
    private static func text(_ instant: ClockInstant) -> String {
        let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest == 0 ? "\(seconds)" : "\(Double(instant.nanoseconds) / 1_000_000_000)"
    }

    private func name(_ waiter: Machine.Waiter) -> String { self.waiters.first { $0.value == waiter }?.key ?? "?" }

    private mutating func name(_ dial: Machine.Dial) -> String {
        if let known = self.dials.first(where: { $0.value == dial })?.key { return known }
        self.dialCount += 1
        self.dials["d\(self.dialCount)"] = dial
        return "d\(self.dialCount)"
    }

    private mutating func name(_ grant: Machine.Grant) -> String {
        switch grant {
        case .use(let member, let use): use.isReused ? "reuse \(member)" : "use \(member)"
        case .dial(let dial): "dial \(self.name(dial))"
        case .wait: "wait"
        case .again: "again"
        }
    }
}

extension ClockInstant {
    fileprivate static func at(_ second: Double) -> ClockInstant {
        ClockInstant(nanoseconds: Int64(second * 1_000_000_000))
    }
}
