// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("RFC 5861: stale responses")
struct StaleConformance {
    private static let fields = [
        ("Cache-Control", "max-age=60, stale-while-revalidate=30, stale-if-error=100"), CacheVector.tag,
    ]

    @Test(
        "§3: within stale-while-revalidate, the cache uses a stale response and validates it meanwhile",
        arguments: [
            (59, CacheVector.fresh), (60, .serveWhileRevalidating), (90, .serveWhileRevalidating),
            (91, CacheVector.ask),
        ] as [(Int64, CacheDecision)]
    )
    func whileRevalidating(_ seconds: Int64, _ decision: CacheDecision) {
        #expect(CacheVector.decision(Self.fields, after: seconds) == decision)
    }

    @Test("§3: a request with its own requirements overrides stale-while-revalidate")
    func wishes() {
        #expect(CacheVector.decision(Self.fields, after: 61, [("Cache-Control", "max-age=70")]) == CacheVector.ask)
        #expect(CacheVector.decision(Self.fields, after: 61, [("Cache-Control", "min-fresh=1")]) == CacheVector.ask)
        #expect(CacheVector.decision(Self.fields, after: 61, [], .revalidate) == CacheVector.ask)
        #expect(CacheVector.decision(Self.fields, after: 61, [], .onlyCached) == CacheVector.stale)
    }

    @Test(
        "§4: within stale-if-error, the cache uses a stale response after an error",
        arguments: [
            (59, true), (60, true), (160, true), (161, false),
        ] as [(Int64, Bool)]
    )
    func ifError(_ seconds: Int64, _ isAllowed: Bool) {
        let stored = CacheVector.stored(Self.fields)
        #expect(CacheDecision.allowsOnError(stored, [:], now: CacheVector.time + seconds) == isAllowed)
    }

    @Test("§4: a request can allow stale-if-error if the response does not say")
    func requested() {
        let stored = CacheVector.stored([("Cache-Control", "max-age=60")])
        let wish: HTTPFields = [.cacheControl: "stale-if-error=10"]
        #expect(!CacheDecision.allowsOnError(stored, [:], now: CacheVector.time + 65))
        #expect(CacheDecision.allowsOnError(stored, wish, now: CacheVector.time + 65))
        #expect(!CacheDecision.allowsOnError(stored, wish, now: CacheVector.time + 71))
        let never = CacheVector.stored([("Cache-Control", "max-age=60, stale-if-error=0")])
        #expect(!CacheDecision.allowsOnError(never, wish, now: CacheVector.time + 65))
        let noCache: HTTPFields = [.cacheControl: "no-cache, stale-if-error=10"]
        #expect(!CacheDecision.allowsOnError(stored, noCache, now: CacheVector.time + 65))
    }

    @Test(
        "§4: the statuses 500, 502, 503 and 504 are errors",
        arguments: [
            (500, true), (502, true), (503, true), (504, true), (501, false), (505, false), (404, false), (429, false),
            (200, false),
        ]
    )
    func errors(_ status: Int, _ isError: Bool) {
        #expect(CacheDecision.isError(status) == isError)
    }
}
