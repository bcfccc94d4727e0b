// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("RFC 9111: freshness")
struct FreshnessConformance {
    private static func lifetime(_ fields: [(String, String)], status: Int = 200) -> Int64 {
        Freshness(CacheVector.stored(fields, status: status)).lifetime
    }

    @Test("§4.2: a response is fresh while its lifetime is greater than its age")
    func boundary() {
        let freshness = Freshness(CacheVector.stored([("Cache-Control", "max-age=60")]))
        #expect(freshness.isFresh(at: CacheVector.time + 59))
        #expect(!freshness.isFresh(at: CacheVector.time + 60))
        #expect(freshness.staleness(at: CacheVector.time + 65) == 5)
    }

    @Test("§4.2.1: max-age precedes Expires minus Date, and s-maxage is for shared caches")
    func precedence() {
        let expires = ("Expires", CacheVector.date(100))
        #expect(Self.lifetime([("Cache-Control", "max-age=60"), expires]) == 60)
        #expect(Self.lifetime([("Cache-Control", "s-maxage=9"), expires]) == 100)
        #expect(Self.lifetime([expires, ("Date", CacheVector.date(-20))]) == 120)
        #expect(Self.lifetime([("Expires", CacheVector.date(-1))]) == 0)
        #expect(Self.lifetime([("Cache-Control", "max-age=0"), expires]) == 0)
    }

    @Test(
        "§5.3: an invalid date is in the past",
        arguments: [
            "0", "-1", "", "never", "Thu, 01 Jan 2099", "2099-01-01T00:00:00Z", "4102444800",
            "Thu, 01 Jan 2099 00:00:00 CET",
            "thu, 01 jan 2099 00:00:00 cet", "Thu, 32 Jan 2099 00:00:00 GMT",
        ]
    )
    func invalidExpires(_ value: String) {
        #expect(Self.lifetime([("Expires", value)]) == 0)
        #expect(Self.lifetime([("Expires", value), ("Last-Modified", CacheVector.date(-1000))]) == 0)
    }

    @Test(
        "§4.2: a date ignores letter case and local time zones",
        arguments: ["sun, 06 nov 2044 08:49:37 gmt", "SUNDAY, 06-NOV-44 08:49:37 GMT", "sUN nOV  6 08:49:37 2044"]
    )
    func capitals(_ value: String) {
        let end: Int64 = 2_362_034_977
        #expect(Self.lifetime([("Expires", value)]) == end - CacheVector.time)
    }

    @Test("§4.2.1: different values of a directive make a response stale")
    func differing() {
        #expect(Self.lifetime([("Expires", CacheVector.date(100)), ("Expires", CacheVector.date(200))]) == 0)
        #expect(Self.lifetime([("Expires", CacheVector.date(100)), ("Expires", CacheVector.date(100))]) == 100)
        #expect(Self.lifetime([("Cache-Control", "max-age=60"), ("Cache-Control", "max-age=70")]) == 0)
    }

    @Test("§1.2.2: a value that is too large to represent counts as 2^31")
    func overflow() {
        #expect(Self.lifetime([("Cache-Control", "max-age=99999999999999999999")]) == 1 << 31)
        #expect(Self.lifetime([("Expires", "Fri, 31 Dec 9999 23:59:59 GMT")]) == 1 << 31)
        let old = Freshness(CacheVector.stored([("Age", "99999999999999999999"), ("Cache-Control", "max-age=9")]))
        #expect(old.age(at: CacheVector.time) == 1 << 31)
        #expect(old.age(at: .max) == 1 << 31)
    }

    @Test("§4.2.2: the heuristic lifetime is a tenth of the time since the last change, at most a day")
    func heuristic() {
        #expect(Self.lifetime([("Last-Modified", CacheVector.date(-1000))]) == 100)
        #expect(Self.lifetime([("Last-Modified", CacheVector.date(-100_000_000))]) == 86_400)
        #expect(Self.lifetime([("Last-Modified", CacheVector.date(1000))]) == 0)
        #expect(Self.lifetime([("Last-Modified", "yesterday")]) == 0)
        #expect(Self.lifetime([CacheVector.tag]) == 0)
        #expect(Self.lifetime([("Last-Modified", CacheVector.date(-1000))], status: 302) == 0)
        #expect(
            Self.lifetime([("Last-Modified", CacheVector.date(-1000)), ("Cache-Control", "public")], status: 302) == 100
        )
        // "A cache MUST NOT use heuristics … when an explicit expiration time is present."
        #expect(Self.lifetime([("Last-Modified", CacheVector.date(-1000)), ("Cache-Control", "max-age=7")]) == 7)
        #expect(Freshness(CacheVector.stored([("Last-Modified", CacheVector.date(-1000))])).isHeuristic)
    }

    @Test(
        "§4.2.3: the age comes from the caches on the way, or from the clocks",
        arguments: [
            ([], 0, 10, 10), ([("Age", "5")], 0, 10, 15), ([("Age", "5")], 3, 10, 18), ([], 3, 0, 3),
            ([("Date", CacheVector.date(-20))], 0, 1, 21), ([("Date", CacheVector.date(-20)), ("Age", "5")], 3, 1, 21),
            ([("Date", CacheVector.date(-20)), ("Age", "50")], 3, 1, 54), ([("Date", CacheVector.date(90))], 0, 1, 1),
            ([("Date", "x")], 0, 1, 1), ([("Age", "x")], 0, 1, 1), ([("Age", "-5")], 0, 1, 1),
            ([("Age", "7, 9")], 0, 1, 8),
            ([("Age", "7"), ("Age", "9")], 0, 1, 8),
        ] as [([(String, String)], Int64, Int64, Int64)]
    )
    func age(_ fields: [(String, String)], _ delay: Int64, _ seconds: Int64, _ age: Int64) {
        #expect(Freshness(CacheVector.stored(fields, delay: delay)).age(at: CacheVector.time + seconds) == age)
    }

    @Test("§4.2.3: a clock that was set back makes no response fresh")
    func clockPutBack() {
        let freshness = Freshness(CacheVector.stored([("Cache-Control", "max-age=60")]))
        #expect(freshness.isFresh(at: CacheVector.time - 5))
        #expect(!freshness.isFresh(at: CacheVector.time - 3600))
        #expect(!freshness.isFresh(at: .min))
    }
}
