// SPDX-License-Identifier: Apache-2.0
import TernRequests
import TernStrictTransport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
}
