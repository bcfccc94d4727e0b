// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernHTTP

@Suite("PoolStateMachine: sessions that serve several exchanges")
struct PoolMultiplexTests {
    @Test func `one dial serves all calls that wait, as far as its slots go`() {
        var pool = PoolRun(perHost: 64)
        #expect(pool.acquire("a", multiplexing: true, as: "first") == "dial d1")
        #expect(pool.acquire("a", multiplexing: true, as: "second") == "wait, arm 0.25")
        #expect(pool.acquire("a", multiplexing: true, as: "third") == "wait")
        #expect(
            pool.open("d1", "one", capacity: 2, multiplexed: true) == [
                "first: use one", "second: reuse one", "third: dial d2",
            ]
        )
        #expect(pool.back("one") == ["third: reuse one"])
    }

    @Test func `a server that serves one exchange at a time gets a dial for each call`() {
        var pool = PoolRun(perHost: 64)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.acquire("a", multiplexing: true, as: "second")
        _ = pool.acquire("a", multiplexing: true, as: "third")
        #expect(pool.open("d1", "one") == ["first: use one", "second: dial d2", "third: dial d3"])
        #expect(pool.acquire("a", multiplexing: true, as: "fourth") == "dial d4")
    }

    @Test func `another dial begins after each delay, while the first is silent`() {
        var pool = PoolRun(perHost: 3)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        for name in ["second", "third", "fourth"] { _ = pool.acquire("a", multiplexing: true, as: name) }
        #expect(pool.fire(at: 0.1) == ["arm 0.25"])
        #expect(pool.fire(at: 0.25) == ["second: dial d2", "arm 0.5"])
        #expect(pool.fire(at: 0.5) == ["third: dial d3", "arm 0.75"])
        #expect(pool.fire(at: 0.75) == ["arm 1"])
        #expect(pool.abandon("fourth") == [])
        #expect(pool.fire(at: 1) == [])
    }

    @Test func `a dial that failed holds up no other call`() {
        var pool = PoolRun(perHost: 64)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.acquire("a", multiplexing: true, as: "second")
        _ = pool.acquire("a", multiplexing: true, as: "third")
        #expect(pool.fail("d1") == ["first: failed", "second: dial d2", "third: dial d3"])
    }

    @Test func `dials that no call needs any more end`() {
        var pool = PoolRun(perHost: 64)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.acquire("a", multiplexing: true, as: "second")
        #expect(pool.fire(at: 0.25) == ["second: dial d2"])
        #expect(
            pool.open("d1", "one", capacity: 100, multiplexed: true) == [
                "first: use one", "second: reuse one", "cancel d2",
            ]
        )
        #expect(pool.fail("d2") == [])
    }

    @Test func `a session of one call does not make other calls wait for each other`() {
        var pool = PoolRun(perHost: 64)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.acquire("a", multiplexing: true, as: "second")
        _ = pool.acquire("a", multiplexing: true, as: "third")
        let effects = pool.open("d1", "one", capacity: 100, multiplexed: true, isShared: false)
        #expect(effects == ["first: use one", "second: dial d2", "third: dial d3"])
    }

    /// A delegate approved the server for one call only, or showed its certificate.
    @Test(arguments: [true, false])
    func `a session of one call serves no other, whatever the server allows`(gaveUp: Bool) {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.acquire("a", multiplexing: true, as: "second")
        let effects = pool.open("d1", "one", capacity: 100, multiplexed: true, isShared: false)
        #expect(effects == ["first: use one"])
        #expect(pool.change("one", to: 200) == [])
        #expect(pool.acquire("a", multiplexing: true, as: "third") == "wait")
        #expect((gaveUp ? pool.decline("one") : pool.back("one")) == ["close one", "second: dial d2"])
    }

    @Test func `a refused call goes before those that have not waited, behind other refused ones`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        _ = pool.acquire("a", first: true, as: "third")
        _ = pool.acquire("a", first: true, as: "fourth")
        #expect(pool.open("d1", "one") == ["third: use one", "first: wait"])
        #expect(pool.back("one") == ["fourth: reuse one"])
        #expect(pool.back("one") == ["first: reuse one"])
        #expect(pool.back("one") == ["second: reuse one"])
    }

    // MARK: A server that allows no exchanges

    /// Returns a pool with an idle session whose server allows no exchanges, since before or after the end of its last one.
    private func refusingPool(perHost: Int = 64, sinceBefore: Bool = true) -> PoolRun {
        var pool = PoolRun(perHost: perHost)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.open("d1", "one", capacity: 100, multiplexed: true)
        if sinceBefore { #expect(pool.change("one", to: 0) == []) }
        #expect(pool.back("one", at: 0) == ["arm 60"])
        if !sinceBefore { #expect(pool.change("one", to: 0) == []) }
        #expect(pool.counts == [1, 0, 0])
        return pool
    }

    @Test(arguments: [true, false])
    func `an idle session expires, although its server allows no exchanges`(sinceBefore: Bool) {
        var pool = self.refusingPool(sinceBefore: sinceBefore)
        #expect(pool.fire(at: 59) == ["arm 60"])
        #expect(pool.fire(at: 60) == ["close one"])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test(arguments: [true, false])
    func `it is closed by a shutdown, and for want of descriptors`(sinceBefore: Bool) {
        var pool = self.refusingPool(sinceBefore: sinceBefore)
        #expect(pool.shutDown() == ["close one"])
        #expect(pool.counts == [0, 0, 0])
        var other = self.refusingPool(sinceBefore: sinceBefore)
        #expect(other.runOutOfDescriptors() == ["close one"])
        #expect(other.counts == [0, 0, 0])
    }

    @Test func `a call waits until the server allows exchanges again`() {
        var pool = self.refusingPool(perHost: 1)
        #expect(pool.acquire("a", multiplexing: true, as: "second") == "wait, arm 0.25")
        #expect(pool.change("one", to: 1) == ["second: reuse one"])
    }

    @Test func `a session that drains keeps its exchanges, and calls go elsewhere`() {
        var pool = PoolRun(perHost: 64)
        _ = pool.acquire("a", multiplexing: true, as: "first")
        _ = pool.open("d1", "one", capacity: 100, multiplexed: true)
        #expect(pool.acquire("a", multiplexing: true) == "reuse one")
        #expect(pool.end("one") == [])
        #expect(pool.acquire("a", multiplexing: true, as: "second") == "dial d2")
        #expect(pool.back("one") == [])
        #expect(pool.back("one") == ["close one"])
    }
}
