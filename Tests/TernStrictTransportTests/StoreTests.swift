// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernRequests
import TernStrictTransport
import Testing

@Suite("StrictTransportStore")
struct StrictTransportStoreTests {
    @Test func `what is known can be kept and given to another store`() throws {
        let now = HTTPDate(secondsSince1970: 5)
        let store = MemoryStrictTransportStore()
        store.note(StrictTransportPolicy(maximumAge: 9, includesSubdomains: true), of: "a.test", now: now)
        let kept = try JSONEncoder().encode(store.hosts)
        let other = MemoryStrictTransportStore(try JSONDecoder().decode(StrictTransportHosts.self, from: kept))
        #expect(other.contains("b.a.test", now: now))
        #expect(!other.contains("b.test", now: now))
        #expect(other.hosts == store.hosts)
    }

    @Test(arguments: [Int64(3600), 31_536_000])
    func `a policy is not in force for longer than the host said, although the clock was set back`(step: Int64) {
        let store = MemoryStrictTransportStore()
        let start: Int64 = 2_000_000_000
        func isKnown(_ second: Int64) -> Bool {
            store.contains("a.test", now: HTTPDate(secondsSince1970: second))
        }
        let policy = StrictTransportPolicy(maximumAge: 100, includesSubdomains: false)
        store.note(policy, of: "a.test", now: HTTPDate(secondsSince1970: start))
        // Set back before the policy was received, and back again: the first question begins the whole length again.
        #expect(isKnown(start - step) && isKnown(start - step + 99) && !isKnown(start - step + 100))
        #expect(!isKnown(start - step + 101))
    }

    @Test func `a clock that is set forward and back again loses no policy`() {
        let store = MemoryStrictTransportStore()
        func isKnown(_ second: Int64) -> Bool {
            store.contains("a.test", now: HTTPDate(secondsSince1970: second))
        }
        let policy = StrictTransportPolicy(maximumAge: 100, includesSubdomains: false)
        store.note(policy, of: "a.test", now: HTTPDate(secondsSince1970: 1000))
        #expect(isKnown(1050) && !isKnown(31_536_000) && isKnown(1060) && isKnown(1099) && !isKnown(1100))
    }

    @Test func `a store that was saved while the clock was ahead is bounded by the length`() throws {
        var hosts = StrictTransportHosts()
        let policy = StrictTransportPolicy(maximumAge: 100, includesSubdomains: false)
        hosts.note(policy, of: "a.test", now: HTTPDate(secondsSince1970: 31_536_000))
        let store = MemoryStrictTransportStore(hosts)
        #expect(store.contains("a.test", now: HTTPDate(secondsSince1970: 1000)))
        #expect(store.contains("a.test", now: HTTPDate(secondsSince1970: 1099)))
        #expect(!store.contains("a.test", now: HTTPDate(secondsSince1970: 1100)))
    }

    @Test func `a set that an earlier version saved is read`() throws {
        let text = #"{"entries":{"a.test":{"expiry":2000,"includesSubdomains":false}}}"#
        let hosts = try JSONDecoder().decode(StrictTransportHosts.self, from: Data(text.utf8))
        let store = MemoryStrictTransportStore(hosts)
        #expect(store.contains("a.test", now: HTTPDate(secondsSince1970: 1999)))
        #expect(store.contains("a.test", now: HTTPDate(secondsSince1970: 0)))
        #expect(!store.contains("a.test", now: HTTPDate(secondsSince1970: 2000)))
    }
}
