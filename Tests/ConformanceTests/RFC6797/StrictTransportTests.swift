// SPDX-License-Identifier: Apache-2.0
import TernRequests
import TernStrictTransport
import Testing

@Suite("RFC 6797: Strict-Transport-Security")
struct StrictTransportTests {
    @Test(
        "§6.1, §6.2: the client obeys a valid field",
        arguments: [
            ("max-age=31536000", 31_536_000, false), ("max-age=15768000 ; includeSubDomains", 15_768_000, true),
            ("max-age=\"31536000\"", 31_536_000, false), ("max-age=0", 0, false),
            ("max-age=0; includeSubDomains", 0, true), ("includeSubDomains;max-age=1", 1, true),
            (" MAX-AGE = 7 ; INCLUDESUBDOMAINS ;; ", 7, true), (";;max-age=1", 1, false),
            ("max-age=1; preload; other=\"a;b\\\"c\"; more=token", 1, false),
            ("max-age=99999999999999999999", 1 << 31, false), ("max-age=9999999999", 1 << 31, false),
        ] as [(String, Int64, Bool)]
    )
    func conforming(_ text: String, _ age: Int64, _ below: Bool) {
        #expect(StrictTransportPolicy(text) == StrictTransportPolicy(maximumAge: age, includesSubdomains: below))
    }

    @Test(
        "§6.1, §8.1: the client ignores an invalid field",
        arguments: [
            "", ";", "includeSubDomains", "max-age", "max-age=", "max-age=\"\"", "max-age=-1", "max-age=1.5",
            "max-age=1 2", "max-age=1; max-age=1", "max-age=1; includeSubDomains; includeSubDomains",
            "max-age=1; includeSubDomains=1", "max-age=1; MAX-AGE=2", "max-age=\"1", "max-age=1; x=\"", "max-age=1, x",
            "max-age=1; =2", "max-age=ten", "max-age=１", "max-age=1; x=\"\\",
            "max-age=1; x=" + String(repeating: "a", count: 2000),
        ]
    )
    func broken(_ text: String) { #expect(StrictTransportPolicy(text) == nil) }

    private static let start = HTTPDate(secondsSince1970: 1_000_000)

    private static func later(_ seconds: Int64) -> HTTPDate { HTTPDate(secondsSince1970: 1_000_000 + seconds) }

    private static func hosts(_ policy: StrictTransportPolicy, of host: String = "example.test") -> StrictTransportHosts
    {
        var hosts = StrictTransportHosts()
        hosts.note(policy, of: host, now: self.start)
        return hosts
    }

    @Test(
        "§8.2: a host is known by its own name, or by a parent domain that includes subdomains",
        arguments: [
            ("example.test", true, true), ("EXAMPLE.test", true, true), ("example.test.", true, true),
            ("a.example.test", false, true), ("a.b.example.test", false, true), ("badexample.test", false, false),
            ("test", false, false), ("", false, false), (".", false, false), ("example.test.evil.test", false, false),
        ]
    )
    func matching(_ host: String, _ alone: Bool, _ below: Bool) {
        let (one, all) = (
            StrictTransportPolicy(maximumAge: 9), StrictTransportPolicy(maximumAge: 9, includesSubdomains: true)
        )
        #expect(Self.hosts(one).contains(host, now: Self.start) == alone)
        #expect(Self.hosts(all).contains(host, now: Self.start) == below)
    }

    @Test func `§8.1.1: an IP address is not noted`() {
        for address in ["127.0.0.1", "127.1", "1", "[::1]", "::1", "256.1.1.300"] {
            #expect(Self.hosts(StrictTransportPolicy(maximumAge: 9), of: address).count == 0)
        }
    }

    @Test func `§8.1: time passes, the latest word counts, and max-age=0 takes it back`() {
        var hosts = Self.hosts(StrictTransportPolicy(maximumAge: 10, includesSubdomains: true))
        #expect(hosts.contains("example.test", now: Self.later(9)))
        #expect(!hosts.contains("example.test", now: Self.later(10)))
        hosts.note(StrictTransportPolicy(maximumAge: 10), of: "example.test", now: Self.later(9))
        #expect(hosts.contains("example.test", now: Self.later(18)))
        #expect(!hosts.contains("a.example.test", now: Self.later(9)))
        hosts.note(StrictTransportPolicy(maximumAge: 0), of: "example.test", now: Self.later(9))
        #expect(!hosts.contains("example.test", now: Self.later(9)))
        #expect(hosts.count == 0)
    }

    @Test func `there is room for so many, and the first to expire goes first`() {
        var hosts = StrictTransportHosts()
        for number in 0...StrictTransportHosts.maximumCount {
            hosts.note(StrictTransportPolicy(maximumAge: 100 + Int64(number)), of: "h\(number).test", now: Self.start)
        }
        #expect(hosts.count == StrictTransportHosts.maximumCount)
        #expect(!hosts.contains("h0.test", now: Self.start))
        #expect(hosts.contains("h1.test", now: Self.start))
        hosts.removeExpired(now: Self.later(200))
        #expect(hosts.count == StrictTransportHosts.maximumCount - 100)
    }
}
