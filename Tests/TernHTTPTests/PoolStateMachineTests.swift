// SPDX-License-Identifier: Apache-2.0
@testable import TernHTTP
import TernTransport
import TestSupport
import Testing

/// Stands for a connection.
private final class Member: Sendable, CustomStringConvertible {
    let description: String

    init(_ name: String) { self.description = name }
}

/// A pool's machine whose answers are values, and whose hosts, members and waiters have names.
private struct PoolRun {
    private typealias Machine = PoolStateMachine<String, Member>

    private var machine: Machine
    private var members: [String: Member] = [:]
    private var hosts: [String: Int] = [:]
    private var hostOfMember: [String: String] = [:]
    /// Whether what is to be closed is closed there and then; otherwise `closed(_:)` says when.
    private let closesAtOnce: Bool
    private var waiters: [String: Machine.Waiter] = [:]

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

    var counts: [Int] { [self.machine.counts.idle, self.machine.counts.lent, self.machine.counts.waiting] }

    /// In seconds; `nil` when no timer is wanted.
    var armedSecond: Int64? { self.machine.armedInstant.map { $0.nanoseconds / 1_000_000_000 } }

    /// The answer: "connect", "reuse x", "replace x", "wait" or "refused"; `waiter` names who waits.
    mutating func acquire(_ host: String, fresh: Bool = false, as waiter: String = "") -> String {
        switch self.machine.acquire(host, isFresh: fresh) {
        case .granted(let grant): return self.name(grant, host)
        case .replaced(let member, let number):
            self.hosts[host] = number
            return "replace \(member)"
        case .wait(let number):
            self.waiters[waiter] = number
            return "wait"
        case .refused: return "refused"
        }
    }

    mutating func `return`(_ name: String, to host: String, at second: Int) -> [String] {
        let member = self.members[name] ?? Member(name)
        self.members[name] = member
        self.hostOfMember[name] = host
        return self.names(self.machine.returned(member, of: self.hosts[host] ?? -1, now: .at(second)), host)
    }

    mutating func discard(_ host: String) -> [String] {
        self.names(self.machine.discarded(self.hosts[host] ?? -1), host)
    }

    /// A connection that was to be closed is.
    mutating func closed(_ name: String) -> [String] { self.discard(self.hostOfMember[name] ?? "?") }

    /// The connection that is given up.
    mutating func runOutOfDescriptors() -> String? { self.machine.ranOutOfDescriptors()?.description }

    mutating func end(_ name: String, of host: String) -> [String] {
        let member = self.members[name] ?? Member(name)
        return self.names(self.machine.ended(member, of: self.hosts[host] ?? -1), host)
    }

    mutating func abandon(_ waiter: String) {
        if let waiter = self.waiters[waiter] { self.machine.abandoned(waiter) }
    }

    mutating func fire(at second: Int) -> [String] { self.names(self.machine.timerFired(now: .at(second)), "") }

    mutating func shutDown() -> [String] { self.names(self.machine.shutDown(), "") }

    private mutating func names(_ effects: Machine.Effects, _ host: String) -> [String] {
        var names = effects.close.map { "close \($0)" }
        if let (waiter, grant) = effects.resume {
            let name = self.waiters.first { $0.value == waiter }?.key ?? "?"
            names.append("\(name): \(self.name(grant, host))")
        }
        if let instant = effects.armTimer { names.append("arm \(instant.nanoseconds / 1_000_000_000)") }
        if self.closesAtOnce { for member in effects.close { names += self.closed(member.description) } }
        return names
    }

    private mutating func name(_ grant: Machine.Grant, _ host: String) -> String {
        switch grant {
        case .reuse(let member): return "reuse \(member)"
        case .connect(let number):
            self.hosts[host] = number
            return "connect"
        }
    }
}

extension Instant {
    fileprivate static func at(_ second: Int) -> Instant { Instant(nanoseconds: Int64(second) * 1_000_000_000) }
}

@Suite("PoolStateMachine")
struct PoolStateMachineTests {
    @Test func `the connection that was used last is lent first`() {
        var pool = PoolRun()
        #expect(pool.acquire("a") == "connect")
        #expect(pool.acquire("a") == "connect")
        #expect(pool.return("one", to: "a", at: 0) == ["arm 60"])
        #expect(pool.return("two", to: "a", at: 1) == [])
        #expect(pool.acquire("a") == "reuse two")
        #expect(pool.acquire("a") == "reuse one")
        #expect(pool.counts == [0, 2, 0])
    }

    @Test func `a host has so many connections and no more, and others have their own`() {
        var pool = PoolRun(perHost: 2)
        #expect(pool.acquire("a") == "connect")
        #expect(pool.acquire("a") == "connect")
        #expect(pool.acquire("a") == "wait")
        #expect(pool.acquire("b") == "connect")
        #expect(pool.counts == [0, 3, 1])
    }

    @Test func `a limit below one counts as one`() {
        var pool = PoolRun(perHost: 0)
        #expect(pool.acquire("a") == "connect")
        #expect(pool.acquire("a") == "wait")
    }

    @Test func `calls wait in the order in which they came`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a")
        for name in ["first", "second", "third"] { #expect(pool.acquire("a", as: name) == "wait") }
        #expect(pool.return("one", to: "a", at: 0) == ["first: reuse one"])
        #expect(pool.discard("a") == ["second: connect"])
        #expect(pool.return("two", to: "a", at: 1) == ["third: reuse two"])
        #expect(pool.return("two", to: "a", at: 2) == ["arm 62"])
        #expect(pool.counts == [1, 0, 0])
    }

    @Test func `a call that gave up is passed over`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a")
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        pool.abandon("first")
        #expect(pool.counts == [0, 1, 1])
        #expect(pool.return("one", to: "a", at: 0) == ["second: reuse one"])
    }

    @Test func `a call that gives up after it was resumed changes nothing`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a")
        _ = pool.acquire("a", as: "first")
        #expect(pool.return("one", to: "a", at: 0) == ["first: reuse one"])
        pool.abandon("first")
        #expect(pool.counts == [0, 1, 0])
        #expect(pool.return("one", to: "a", at: 0) == ["arm 60"])
    }

    @Test func `a place that was granted and declined goes to the next`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a")
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        #expect(pool.discard("a") == ["first: connect"])
        #expect(pool.discard("a") == ["second: connect"])
        #expect(pool.discard("a") == [])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `idle connections expire, oldest first, and one timer serves all`() {
        var pool = PoolRun(perHost: 3)
        _ = (pool.acquire("a"), pool.acquire("a"), pool.acquire("b"))
        #expect(pool.return("one", to: "a", at: 0) == ["arm 60"])
        #expect(pool.return("two", to: "a", at: 10) == [])
        #expect(pool.return("three", to: "b", at: 20) == [])
        #expect(pool.fire(at: 60) == ["close one", "arm 70"])
        #expect(pool.fire(at: 80) == ["close two", "close three"])
        #expect(pool.counts == [0, 0, 0])
        _ = pool.acquire("a")
        #expect(pool.return("four", to: "a", at: 90) == ["arm 150"])
    }

    @Test func `it knows which timer it waits for`() {
        var pool = PoolRun(perHost: 3)
        _ = (pool.acquire("a"), pool.acquire("a"), pool.acquire("a"))
        #expect(pool.armedSecond == nil)
        #expect(pool.return("one", to: "a", at: 0) == ["arm 60"])
        #expect(pool.armedSecond == 60)
        #expect(pool.return("two", to: "a", at: 10) == [])
        #expect(pool.armedSecond == 60)
        #expect(pool.fire(at: 60) == ["close one", "arm 70"])
        #expect(pool.armedSecond == 70)
        #expect(pool.fire(at: 70) == ["close two"])
        #expect(pool.armedSecond == nil)
        #expect(pool.return("three", to: "a", at: 80) == ["arm 140"])
        #expect(pool.shutDown() == ["close three"])
        #expect(pool.armedSecond == nil)
    }

    @Test func `a timer that fires when nothing is idle does nothing`() {
        var pool = PoolRun()
        _ = pool.acquire("a")
        _ = pool.return("one", to: "a", at: 0)
        _ = pool.acquire("a")
        #expect(pool.fire(at: 60) == [])
        #expect(pool.counts == [0, 1, 0])
    }

    @Test func `beyond the limit of all idle connections the one that was idle longest is closed`() {
        var pool = PoolRun(idle: 2)
        _ = (pool.acquire("a"), pool.acquire("b"), pool.acquire("c"))
        #expect(pool.return("one", to: "b", at: 0) == ["arm 60"])
        #expect(pool.return("two", to: "a", at: 1) == [])
        #expect(pool.return("three", to: "c", at: 2) == ["close one"])
        #expect(pool.counts == [2, 0, 0])
    }

    @Test func `with room for no idle connection each is closed when it comes back`() {
        var pool = PoolRun(idle: 0)
        _ = pool.acquire("a")
        #expect(pool.return("one", to: "a", at: 0).contains("close one"))
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `a connection that ends while it is idle is forgotten`() {
        var pool = PoolRun()
        _ = pool.acquire("a")
        _ = pool.return("one", to: "a", at: 0)
        #expect(pool.end("one", of: "a") == ["close one"])
        #expect(pool.end("one", of: "a") == [])
        #expect(pool.acquire("a") == "connect")
    }

    @Test func `a connection that ends while it is lent is the business of who has it`() {
        var pool = PoolRun()
        _ = pool.acquire("a")
        _ = pool.return("one", to: "a", at: 0)
        _ = pool.acquire("a")
        #expect(pool.end("one", of: "a") == [])
        #expect(pool.discard("a") == [])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `a fresh connection is made beside idle ones while there is room`() {
        var pool = PoolRun(perHost: 2)
        _ = pool.acquire("a")
        _ = pool.return("one", to: "a", at: 0)
        #expect(pool.acquire("a", fresh: true) == "connect")
        #expect(pool.counts == [1, 1, 0])
    }

    @Test func `a fresh connection replaces the oldest idle one when there is no room`() {
        var pool = PoolRun(perHost: 2)
        _ = (pool.acquire("a"), pool.acquire("a"))
        _ = pool.return("one", to: "a", at: 0)
        _ = pool.return("two", to: "a", at: 1)
        #expect(pool.acquire("a", fresh: true) == "replace one")
        #expect(pool.counts == [1, 1, 0])
        #expect(pool.acquire("a") == "reuse two")
    }

    @Test func `a fresh connection waits when all are lent`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a")
        #expect(pool.acquire("a", fresh: true, as: "first") == "wait")
        #expect(pool.discard("a") == ["first: connect"])
    }

    @Test func `shutting down closes what is idle, and what is lent when it comes back`() {
        var pool = PoolRun()
        _ = (pool.acquire("a"), pool.acquire("a"), pool.acquire("b"))
        _ = pool.return("one", to: "a", at: 0)
        #expect(pool.shutDown() == ["close one"])
        #expect(pool.acquire("a") == "refused")
        #expect(pool.return("two", to: "a", at: 1) == ["close two"])
        #expect(pool.discard("b") == [])
        #expect(pool.counts == [0, 0, 0])
        #expect(pool.fire(at: 60) == [])
        #expect(pool.shutDown() == [])
    }

    @Test func `a place is taken until the connection in it is closed`() {
        var pool = PoolRun(perHost: 1, closesAtOnce: false)
        _ = pool.acquire("a")
        _ = pool.return("one", to: "a", at: 0)
        #expect(pool.fire(at: 60) == ["close one"])
        #expect(pool.counts == [0, 1, 0])
        #expect(pool.acquire("a", as: "first") == "wait")
        #expect(pool.closed("one") == ["first: connect"])
        #expect(pool.counts == [0, 1, 0])
    }

    @Test func `so it is where the server ended the connection, and where there are too many idle ones`() {
        var pool = PoolRun(perHost: 1, idle: 1, closesAtOnce: false)
        _ = (pool.acquire("a"), pool.acquire("b"))
        _ = pool.return("one", to: "a", at: 0)
        #expect(pool.return("two", to: "b", at: 1) == ["close one"])
        #expect(pool.end("two", of: "b") == ["close two"])
        #expect(pool.counts == [0, 2, 0])
        #expect(pool.acquire("a", as: "first") == "wait")
        #expect(pool.acquire("b", as: "second") == "wait")
        #expect(pool.closed("two") == ["second: connect"])
        #expect(pool.closed("one") == ["first: connect"])
    }

    @Test func `what is closed by shutting down leaves nothing behind`() {
        var pool = PoolRun(closesAtOnce: false)
        _ = (pool.acquire("a"), pool.acquire("a"))
        _ = pool.return("one", to: "a", at: 0)
        #expect(pool.shutDown() == ["close one"])
        #expect(pool.return("two", to: "a", at: 1) == ["close two"])
        #expect(pool.counts == [0, 2, 0])
        #expect(pool.closed("one") == [])
        #expect(pool.closed("two") == [])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `without descriptors the connection is given up that was idle longest, of any host`() {
        var pool = PoolRun(perHost: 1, closesAtOnce: false)
        _ = (pool.acquire("a"), pool.acquire("b"), pool.acquire("c"))
        #expect(pool.runOutOfDescriptors() == nil)
        _ = pool.return("one", to: "b", at: 0)
        _ = pool.return("two", to: "a", at: 1)
        #expect(pool.runOutOfDescriptors() == "one")
        #expect(pool.counts == [1, 2, 0])
        #expect(pool.acquire("b", as: "first") == "wait")
        #expect(pool.closed("one") == ["first: connect"])
        #expect(pool.runOutOfDescriptors() == "two")
        #expect(pool.runOutOfDescriptors() == nil)
    }

    @Test func `a number that is free again serves another host`() {
        var pool = PoolRun(perHost: 1)
        for round in 0..<5 {
            for host in ["a", "b", "c"] {
                #expect(pool.acquire("\(host)\(round)") == "connect")
                #expect(pool.acquire("\(host)\(round)", as: host) == "wait")
            }
            for host in ["a", "b", "c"] {
                #expect(pool.discard("\(host)\(round)") == ["\(host): connect"])
                #expect(pool.discard("\(host)\(round)") == [])
            }
            #expect(pool.counts == [0, 0, 0])
        }
    }

    @Test func `any sequence of events keeps the counts right`() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<50 {
            var pool = PoolRun(perHost: 3, idle: 4)
            var lent: [(host: String, name: String)] = []
            var waiting: [String] = []
            var nextName = 0
            for second in 0..<200 {
                let host = ["a", "b"][Int(generator.next() % 2)]
                switch generator.next() % 4 {
                case 0, 1:
                    nextName += 1
                    let waiter = "\(host)\(nextName)"
                    let answer = pool.acquire(host, fresh: generator.next() % 4 == 0, as: waiter)
                    if answer == "wait" {
                        waiting.append(waiter)
                    } else {
                        lent.append((host, answer.split(separator: " ").last.map(String.init) ?? ""))
                    }
                default:
                    guard let (host, name) = lent.popLast() else { continue }
                    let member = name == "connect" ? "m\(second)" : name
                    let effects =
                        generator.next() % 2 == 0 ? pool.return(member, to: host, at: second) : pool.discard(host)
                    for effect in effects {
                        let parts = effect.split(separator: ":")
                        guard parts.count == 2 else { continue }
                        waiting.removeAll { $0 == parts[0] }
                        lent.append((host, parts[1].split(separator: " ").last.map(String.init) ?? ""))
                    }
                }
                #expect(pool.counts[1] == lent.count)
                #expect(pool.counts[2] == waiting.count)
                #expect(pool.counts[0] <= 4)
            }
        }
    }
}
