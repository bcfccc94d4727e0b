// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernHTTP

@Suite("PoolStateMachine: slots and idle sessions")
struct PoolStateMachineTests {
    /// Returns a pool in which each of these sessions (connections) is in use.
    private func pool(
        _ sessions: KeyValuePairs<String, String>,
        perHost: Int = 2,
        idle: Int = 10,
        closesAtOnce: Bool = true
    ) -> PoolRun {
        var pool = PoolRun(perHost: perHost, idle: idle, closesAtOnce: closesAtOnce)
        for (index, (name, host)) in sessions.enumerated() {
            #expect(pool.acquire(host, as: name) == "dial d\(index + 1)")
            #expect(pool.open("d\(index + 1)", name) == ["\(name): use \(name)"])
        }
        return pool
    }

    @Test func `the session that was used last is lent first`() {
        var pool = self.pool(["one": "a", "two": "a"])
        #expect(pool.back("one", at: 0) == ["arm 60"])
        #expect(pool.back("two", at: 1) == [])
        #expect(pool.acquire("a") == "reuse two")
        #expect(pool.acquire("a") == "reuse one")
        #expect(pool.counts == [0, 2, 0])
    }

    @Test func `a host has so many sessions and no more, and others have their own`() {
        var pool = PoolRun(perHost: 2)
        #expect(pool.acquire("a") == "dial d1")
        #expect(pool.acquire("a") == "dial d2")
        #expect(pool.acquire("a") == "wait")
        #expect(pool.acquire("b") == "dial d3")
        #expect(pool.counts == [0, 3, 1])
    }

    @Test func `a limit below one counts as one`() {
        var pool = PoolRun(perHost: 0)
        #expect(pool.acquire("a") == "dial d1")
        #expect(pool.acquire("a") == "wait")
    }

    @Test func `calls wait in the order in which they came`() {
        var pool = self.pool(["one": "a"], perHost: 1)
        for name in ["first", "second", "third"] { #expect(pool.acquire("a", as: name) == "wait") }
        #expect(pool.back("one", at: 0) == ["first: reuse one"])
        #expect(pool.closed("one") == ["second: dial d2"])
        #expect(pool.open("d2", "two") == ["second: use two"])
        #expect(pool.back("two", at: 1) == ["third: reuse two"])
        #expect(pool.back("two", at: 2) == ["arm 62"])
        #expect(pool.counts == [1, 0, 0])
    }

    @Test func `a call that gave up is passed over`() {
        var pool = self.pool(["one": "a"], perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        #expect(pool.abandon("first") == [])
        #expect(pool.counts == [0, 1, 1])
        #expect(pool.back("one") == ["second: reuse one"])
    }

    @Test func `a call that gives up after it was resumed changes nothing`() {
        var pool = self.pool(["one": "a"], perHost: 1)
        _ = pool.acquire("a", as: "first")
        #expect(pool.back("one") == ["first: reuse one"])
        #expect(pool.abandon("first") == [])
        #expect(pool.counts == [0, 1, 0])
        #expect(pool.back("one") == ["arm 60"])
    }

    @Test func `idle sessions expire, oldest first, and one timer serves all`() {
        var pool = self.pool(["one": "a", "two": "a", "three": "b"])
        #expect(pool.armedSecond == nil)
        #expect(pool.back("one", at: 0) == ["arm 60"])
        #expect(pool.back("two", at: 10) == [])
        #expect(pool.back("three", at: 20) == [])
        #expect(pool.armedSecond == 60)
        #expect(pool.fire(at: 60) == ["close one", "arm 70"])
        #expect(pool.armedSecond == 70)
        #expect(pool.fire(at: 80) == ["close two", "close three"])
        #expect(pool.armedSecond == nil)
        #expect(pool.counts == [0, 0, 0])
        #expect(pool.acquire("a") == "dial d4")
        #expect(pool.open("d4", "four", at: 90) == ["first: use four"])
        #expect(pool.back("four", at: 90) == ["arm 150"])
        #expect(pool.shutDown() == ["close four"])
        #expect(pool.armedSecond == nil)
    }

    @Test func `a call that comes before a late timer gets no session that was idle too long`() {
        var pool = self.pool(["old": "a", "young": "b"])
        _ = pool.back("old", at: 0)
        _ = pool.back("young", at: 50)
        #expect(pool.acquire("a", at: 65) == "dial d3, close old, arm 110")
        #expect(pool.acquire("b", at: 109) == "reuse young")
        #expect(pool.armedSecond == 110)
    }

    @Test func `a timer that fires when nothing is idle does nothing`() {
        var pool = self.pool(["one": "a"])
        _ = pool.back("one", at: 0)
        #expect(pool.acquire("a") == "reuse one")
        #expect(pool.fire(at: 60) == [])
        #expect(pool.counts == [0, 1, 0])
    }

    @Test func `beyond the limit of all idle sessions the one that was idle longest is closed`() {
        var pool = self.pool(["one": "b", "two": "a", "three": "c"], idle: 2)
        #expect(pool.back("one", at: 0) == ["arm 60"])
        #expect(pool.back("two", at: 1) == [])
        #expect(pool.back("three", at: 2) == ["close one"])
        #expect(pool.counts == [2, 0, 0])
    }

    @Test func `with room for no idle session each is closed when it comes back`() {
        var pool = self.pool(["one": "a"], idle: 0)
        #expect(pool.back("one").contains("close one"))
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `a session that ends while it is idle is forgotten`() {
        var pool = self.pool(["one": "a"])
        _ = pool.back("one")
        #expect(pool.end("one") == ["close one"])
        #expect(pool.end("one") == [])
        #expect(pool.acquire("a") == "dial d2")
    }

    @Test func `a session that ends while it is lent is closed when it comes back`() {
        var pool = self.pool(["one": "a"])
        #expect(pool.end("one") == [])
        #expect(pool.acquire("a", as: "second") == "dial d2")
        #expect(pool.back("one") == ["close one"])
        #expect(pool.counts == [0, 1, 0])
    }

    @Test func `a fresh session is dialed beside idle ones while there is room`() {
        var pool = self.pool(["one": "a"])
        _ = pool.back("one")
        #expect(pool.acquire("a", fresh: true) == "dial d2")
        #expect(pool.counts == [1, 1, 0])
    }

    @Test func `a fresh session takes the place of the oldest idle one when there is no room`() {
        var pool = self.pool(["one": "a", "two": "a"])
        _ = pool.back("one", at: 0)
        _ = pool.back("two", at: 1)
        #expect(pool.acquire("a", fresh: true) == "wait, close one, first: dial d3")
        #expect(pool.counts == [1, 1, 0])
        #expect(pool.acquire("a") == "reuse two")
    }

    @Test func `a call that needs a fresh session is not served by one that comes back`() {
        var pool = self.pool(["one": "a"], perHost: 1)
        #expect(pool.acquire("a", fresh: true, as: "first") == "wait")
        #expect(pool.acquire("a", as: "second") == "wait")
        #expect(pool.back("one") == ["second: reuse one"])
        #expect(pool.back("one").prefix(2) == ["close one", "arm 60"])
        #expect(pool.open("d2", "two") == ["first: use two"])
    }

    @Test func `a session that is dead when it is granted is replaced, whatever waits`() {
        var pool = self.pool(["one": "a"], perHost: 1)
        _ = pool.back("one")
        #expect(pool.acquire("a") == "reuse one")
        #expect(pool.acquire("a", as: "second") == "wait")
        #expect(pool.replace("one", as: "first") == "dial d2")
        #expect(pool.counts == [0, 1, 1])
        #expect(pool.open("d2", "two") == ["first: use two"])
        #expect(pool.replace("one") == nil)
    }

    @Test func `shutting down closes what is idle, and what is lent when it comes back`() {
        var pool = self.pool(["one": "a", "two": "a", "three": "b"])
        _ = pool.back("one")
        #expect(pool.shutDown() == ["close one"])
        #expect(pool.acquire("a") == "refused")
        #expect(pool.back("two") == ["close two"])
        #expect(pool.closed("three") == [])
        #expect(pool.counts == [0, 0, 0])
        #expect(pool.fire(at: 60) == [])
        #expect(pool.shutDown() == [])
    }

    @Test func `a place is taken until the session in it is closed`() {
        var pool = self.pool(["one": "a"], perHost: 1, closesAtOnce: false)
        _ = pool.back("one", at: 0)
        #expect(pool.fire(at: 60) == ["close one"])
        #expect(pool.counts == [0, 1, 0])
        #expect(pool.acquire("a", as: "first") == "wait")
        #expect(pool.closed("one") == ["first: dial d2"])
        #expect(pool.counts == [0, 1, 0])
    }

    @Test func `so it is where the server ended the session, and where there are too many idle ones`() {
        var pool = self.pool(["one": "a", "two": "b"], perHost: 1, idle: 1, closesAtOnce: false)
        _ = pool.back("one", at: 0)
        #expect(pool.back("two", at: 1) == ["close one"])
        #expect(pool.end("two") == ["close two"])
        #expect(pool.counts == [0, 2, 0])
        #expect(pool.acquire("a", as: "first") == "wait")
        #expect(pool.acquire("b", as: "second") == "wait")
        #expect(pool.closed("two") == ["second: dial d3"])
        #expect(pool.closed("one") == ["first: dial d4"])
    }

    @Test func `what is closed by shutting down leaves nothing behind`() {
        var pool = self.pool(["one": "a", "two": "a"], closesAtOnce: false)
        _ = pool.back("one")
        #expect(pool.shutDown() == ["close one"])
        #expect(pool.back("two") == ["close two"])
        #expect(pool.counts == [0, 2, 0])
        #expect(pool.closed("one") == [])
        #expect(pool.closed("two") == [])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `without descriptors the session is given up that was idle longest, of any host`() {
        var pool = self.pool(["one": "b", "two": "a", "three": "c"], perHost: 1, closesAtOnce: false)
        #expect(pool.runOutOfDescriptors() == [])
        _ = pool.back("one", at: 0)
        _ = pool.back("two", at: 1)
        #expect(pool.runOutOfDescriptors() == ["close one"])
        #expect(pool.counts == [1, 2, 0])
        #expect(pool.acquire("b", as: "first") == "wait")
        #expect(pool.closed("one") == ["first: dial d4"])
        #expect(pool.runOutOfDescriptors() == ["close two"])
        #expect(pool.runOutOfDescriptors() == [])
    }

    @Test func `a number that is free again serves another host`() {
        var pool = PoolRun(perHost: 1)
        var dial = 0
        for round in 0..<5 {
            for host in ["a", "b", "c"] {
                dial += 1
                #expect(pool.acquire("\(host)\(round)", as: host) == "dial d\(dial)")
                #expect(pool.open("d\(dial)", "\(host)\(round)") == ["\(host): use \(host)\(round)"])
            }
            for host in ["a", "b", "c"] { #expect(pool.closed("\(host)\(round)") == []) }
            #expect(pool.counts == [0, 0, 0])
        }
    }

    // MARK: Sessions of several slots

    @Test func `a session with several slots serves as many calls, and is idle when all are back`() {
        var pool = PoolRun(perHost: 1)
        #expect(pool.acquire("a", as: "first") == "dial d1")
        #expect(pool.acquire("a", as: "second") == "wait")
        #expect(pool.acquire("a", as: "third") == "wait")
        #expect(pool.open("d1", "one", capacity: 2) == ["first: use one", "second: reuse one"])
        #expect(pool.back("one") == ["third: reuse one"])
        #expect(pool.back("one") == [])
        #expect(pool.counts == [0, 1, 0])
        #expect(pool.acquire("a") == "reuse one")
        #expect(pool.back("one") == [])
        #expect(pool.back("one") == ["arm 60"])
        #expect(pool.counts == [1, 0, 0])
    }

    @Test func `a capacity that grows serves calls that wait, one that shrinks lends no more`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        #expect(pool.open("d1", "one") == ["first: use one"])
        #expect(pool.change("one", to: 2) == ["second: reuse one"])
        #expect(pool.change("one", to: 1) == [])
        #expect(pool.acquire("a", as: "third") == "wait")
        #expect(pool.back("one") == [])
        #expect(pool.back("one") == ["third: reuse one"])
        #expect(pool.change("one", to: 0) == [])
    }

    @Test func `a session that drains serves the exchanges that have begun, and no more`() {
        var pool = PoolRun(perHost: 2)
        _ = pool.acquire("a", as: "first")
        #expect(pool.open("d1", "one", capacity: 8) == ["first: use one"])
        #expect(pool.acquire("a") == "reuse one")
        #expect(pool.end("one") == [])
        #expect(pool.acquire("a", as: "second") == "dial d2")
        #expect(pool.back("one") == [])
        #expect(pool.back("one") == ["close one"])
        #expect(pool.counts == [0, 1, 0])
    }
}
