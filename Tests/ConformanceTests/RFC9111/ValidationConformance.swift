// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("RFC 9111: validation")
struct ValidationConformance {
    @Test("§4.3.1: the cache sends validators as they were received")
    func validators() {
        let modified = CacheVector.date(-100)
        #expect(CacheVector.stored([("ETag", "W/\"a\"")]).validators == [.ifNoneMatch: "W/\"a\""])
        #expect(CacheVector.stored([("Last-Modified", modified)]).validators == [.ifModifiedSince: modified])
        let both = CacheVector.stored([("ETag", "\"a\""), ("Last-Modified", modified)]).validators
        #expect(both == [.ifNoneMatch: "\"a\"", .ifModifiedSince: modified])
        #expect(CacheVector.stored([]).validators.isEmpty)
    }

    private static let early = ("Last-Modified", CacheVector.date(-50))
    private static let late = ("Last-Modified", CacheVector.date(0))

    @Test(
        "§4.3.4: only an answer about the stored response may update it",
        arguments: [
            ([("ETag", "\"a\"")], [("ETag", "\"a\"")], .updates),
            ([("ETag", "\"a\"")], [("ETag", "\"b\"")], .isAnother),
            ([("ETag", "\"a\"")], [], .updates),
            ([("ETag", "W/\"a\"")], [("ETag", "W/\"a\"")], .updates),
            ([("ETag", "W/\"a\"")], [("ETag", "W/\"b\"")], .isAnother),
            ([("ETag", "\"a\"")], [("ETag", "W/\"a\"")], .updates),
            // A strong validator must be identical.
            ([("ETag", "W/\"a\"")], [("ETag", "\"a\"")], .keeps),
            ([("ETag", "W/\"a\""), early], [("ETag", "\"a\""), early], .updates),
            ([("ETag", "W/\"a\""), late], [("ETag", "\"a\""), late], .keeps),
            ([("ETag", "W/\"a\""), early], [("ETag", "\"b\""), early], .isAnother),
            ([], [("ETag", "\"a\"")], .isAnother),
            ([early], [("ETag", "\"a\""), early], .updates),
            ([late], [("ETag", "\"a\""), late], .keeps),
            ([("ETag", "\"a\"")], [early], .updates),
            // Without entity tags, the `Last-Modified` dates must be equal.
            ([early], [early], .updates), ([early], [late], .isAnother), ([early], [], .updates), ([], [], .updates),
        ] as [([(String, String)], [(String, String)], StoredResponse.Confirmation)]
    )
    func confirmation(
        _ stored: [(String, String)],
        _ answer: [(String, String)],
        _ confirmation: StoredResponse.Confirmation
    ) {
        #expect(CacheVector.stored(stored).confirmation(by: CacheVector.fields(answer)) == confirmation)
    }

    @Test("§3.2: a newer answer replaces the fields that it has, and adds new ones")
    func update() {
        let old = CacheVector.stored([
            ("Cache-Control", "max-age=1"), ("ETag", "\"a\""), ("Content-Type", "text/plain"), ("Content-Length", "9"),
            ("Content-Encoding", "gzip"), ("X-Old", "1"), ("X-Old", "2"), ("Age", "50"),
        ])
        let news = CacheVector.fields([
            ("Cache-Control", "max-age=60"), ("X-Old", "3"), ("X-New", "4"), ("X-New", "5"), ("Content-Length", "0"),
            ("Content-Encoding", "br"), ("Connection", "close, X-Hop"), ("X-Hop", "6"), ("Set-Cookie", "a=b"),
            ("Transfer-Encoding", "chunked"), ("Content-Range", "bytes 0-1/2"),
        ])
        let updated = old.updated(by: news, requestTime: CacheVector.time + 100, responseTime: CacheVector.time + 101)
        var names: [String: [String]] = [:]
        for field in updated.fields { names[field.name.canonicalName, default: []].append(field.value) }
        #expect(names["cache-control"] == ["max-age=60"])
        #expect(names["x-old"] == ["3"])
        #expect(names["x-new"] == ["4", "5"])
        #expect(names["content-length"] == ["9"])
        #expect(names["content-encoding"] == ["gzip"])
        #expect(names["content-type"] == ["text/plain"])
        for gone in ["x-hop", "connection", "set-cookie", "transfer-encoding", "content-range", "age"] {
            #expect(names[gone] == nil)
        }
        #expect(names["date"] == [CacheVector.date(101)])
        // §4.3.4: the updated response is fresh again.
        #expect(Freshness(updated).isFresh(at: CacheVector.time + 150))
        #expect(!Freshness(updated).isFresh(at: CacheVector.time + 161))
    }

    @Test(
        "§3, §5.2.2.3: after an update, the same directives forbid to keep a response as to store one",
        arguments: [
            ("max-age=60", 200, true), ("no-store", 200, false), ("private; no-store", 200, false),
            ("must-understand, no-store", 200, true), ("must-understand, no-store", 299, false),
            ("must-understand", 299, false),
        ]
    )
    func permission(_ directives: String, _ status: Int, _ isKept: Bool) {
        let old = CacheVector.stored([("Cache-Control", "max-age=1"), CacheVector.tag], status: status)
        let news = CacheVector.fields([("Cache-Control", directives), CacheVector.tag])
        let updated = old.updated(by: news, requestTime: CacheVector.time, responseTime: CacheVector.time)
        #expect(updated.allowsStoring == isKept)
        #expect(StoredResponse.isStorable(method: .get, request: [:], response: updated) == isKept)
    }
}
