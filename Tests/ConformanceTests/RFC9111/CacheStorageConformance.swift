// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("RFC 9111: storing")
struct CacheStorageConformance {
    private static func isStored(
        _ response: [(String, String)],
        status: Int = 200,
        _ method: HTTPRequest.Method = .get,
        request: [(String, String)] = []
    ) -> Bool {
        StoredResponse.isStorable(
            method: method,
            request: CacheVector.fields(request),
            response: CacheVector.stored(response, status: status)
        )
    }

    @Test("§3: the cache stores only answers to GET")
    func methods() {
        let fresh = [("Cache-Control", "max-age=60")]
        #expect(Self.isStored(fresh))
        for method in [HTTPRequest.Method.head, .post, .put, .delete, .patch, .options, .trace, .connect] {
            #expect(!Self.isStored(fresh, method))
        }
    }

    @Test(
        "§3: the cache stores neither interim nor partial responses",
        arguments: [100, 101, 103, 206, 304, 401, 407, 600, 999]
    )
    func statuses(_ status: Int) {
        #expect(!Self.isStored([("Cache-Control", "public, max-age=60"), CacheVector.tag], status: status))
    }

    @Test(
        "RFC 6585 §3 to §6: the cache does not store answers that MUST NOT be stored",
        arguments: [428, 429, 431, 511]
    )
    func additionalStatuses(_ status: Int) {
        for said in ["max-age=60", "public, max-age=5", "must-understand, max-age=60"] {
            #expect(!Self.isStored([("Cache-Control", said), CacheVector.tag], status: status))
        }
    }

    @Test("§4.2.1: the cache does not store a response with a malformed Cache-Control")
    func unreadable() {
        #expect(!Self.isStored([("Cache-Control", "private; no-store"), CacheVector.tag]))
        #expect(!Self.isStored([("Cache-Control", "max-age=60, \"no-store"), CacheVector.tag]))
    }

    @Test(
        "§3: the cache stores a response with any other status if its fields allow that",
        arguments: [200, 201, 302, 307, 400, 404, 422, 500, 503, 599]
    )
    func saidStatuses(_ status: Int) {
        for said in ["max-age=60", "public, max-age=5", "private, max-age=1"] {
            #expect(Self.isStored([("Cache-Control", said)], status: status))
        }
        #expect(Self.isStored([("Expires", CacheVector.date(60))], status: status))
    }

    @Test(
        "§3: without explicit freshness, the cache stores only heuristically cacheable statuses",
        arguments: [
            (200, true), (203, true), (204, true), (300, true), (301, true), (308, true), (404, true), (405, true),
            (410, true),
            (414, true), (501, true), (201, false), (302, false), (303, false), (307, false), (400, false),
            (403, false),
            (500, false), (503, false),
        ]
    )
    func unsaidStatuses(_ status: Int, _ isStored: Bool) {
        #expect(Self.isStored([CacheVector.tag], status: status) == isStored)
    }

    @Test(
        "§3, §5.2.2.5: the cache stores no response with no-store, in any form",
        arguments: [
            "no-store", "NO-STORE", "max-age=60, no-store", "public, no-store", "no-store=1", "no-store=\"x\"",
            "private,no-store",
        ]
    )
    func noStore(_ value: String) {
        #expect(!Self.isStored([("Cache-Control", value), CacheVector.tag]))
        #expect(!Self.isStored([("Cache-Control", "max-age=60"), ("Cache-Control", value)]))
        // §5.2.1.5: the directive has the same effect in a request.
        #expect(!Self.isStored([("Cache-Control", "max-age=60")], request: [("Cache-Control", value)]))
    }

    @Test("§5.2.2.3: must-understand overrides no-store if the cache understands the status")
    func mustUnderstand() {
        let value = [("Cache-Control", "must-understand, no-store, max-age=60")]
        #expect(Self.isStored(value))
        #expect(!Self.isStored(value, status: 299))
        #expect(!Self.isStored([("Cache-Control", "must-understand, max-age=60")], status: 599))
    }

    @Test(
        "§5.2.2.7: the cache stores private responses, with and without names",
        arguments: ["private", "private=\"X-One\""]
    )
    func privateResponses(_ value: String) {
        #expect(Self.isStored([("Cache-Control", "\(value), max-age=60")]))
    }

    @Test("§3.5: a private cache stores an answer to a request with Authorization")
    func authorization() {
        #expect(Self.isStored([("Cache-Control", "max-age=60")], request: [("Authorization", "Bearer a")]))
    }

    @Test(
        "§3: the cache does not store a response that can be neither fresh nor validated",
        arguments: [
            [], [("Cache-Control", "max-age=0")], [("Expires", "0")], [("Cache-Control", "no-cache")],
        ]
    )
    func useless(_ fields: [(String, String)]) {
        #expect(!Self.isStored(fields))
        #expect(Self.isStored(fields + [CacheVector.tag]))
        #expect(Self.isStored(fields + [("Last-Modified", CacheVector.date(-1000))]))
    }

    @Test("§3.1: the cache stores no fields for connections or proxies, and none that Connection names")
    func connectionFields() {
        let names = [
            "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Authenticate",
            "Proxy-Authentication-Info", "Proxy-Authorization", "X-Named", "X-Other",
        ]
        var pairs = names.map { ($0, "1") }
        pairs += [("Connection", "X-Named , x-other"), ("X-Kept", "1"), ("Content-Length", "5")]
        let stored = CacheVector.stored(pairs).fields
        #expect(stored.map(\.name.canonicalName) == ["x-kept", "content-length", "date"])
    }

    @Test("RFC 9110 §6.6.1: the cache adds a Date to a response without one")
    func date() {
        #expect(CacheVector.stored([]).fields[.date] == CacheVector.date(0))
        #expect(CacheVector.stored([("Date", "x")]).fields[.date] == "x")
    }

    @Test("§5.2.3: the cache ignores unknown directives")
    func unknown() {
        #expect(Self.isStored([("Cache-Control", "max-age=60, community=\"UCI\", x, s-maxage=0, no-transform")]))
    }
}
