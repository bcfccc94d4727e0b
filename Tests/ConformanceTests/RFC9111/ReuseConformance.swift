// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("RFC 9111: reuse")
struct ReuseConformance {
    typealias Fields = [(String, String)]

    private static let minute: Fields = [("Cache-Control", "max-age=60"), CacheVector.tag]

    @Test("§4: the cache uses a fresh response, validates a stale one, and forwards other requests")
    func basics() {
        #expect(CacheVector.decision(Self.minute, after: 59) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 60) == CacheVector.ask)
        #expect(CacheVector.decision([("Cache-Control", "max-age=60")], after: 60) == .forward)
        #expect(CacheVector.decision(nil, after: 0) == .forward)
    }

    @Test(
        "§4, §5.2.2.4: the cache validates a response with no-cache each time",
        arguments: ["no-cache", "max-age=60, no-cache", "No-Cache=\"\""]
    )
    func noCache(_ value: String) {
        for policy in [CachePolicy.useProtocol, .revalidate, .returnCachedElseLoad] {
            let decision = CacheVector.decision([("Cache-Control", value), CacheVector.tag], after: 0, [], policy)
            #expect(decision == CacheVector.ask)
        }
        #expect(
            CacheVector.decision([("Cache-Control", value), CacheVector.tag], after: 0, [], .onlyCached) == .refuse
        )
    }

    @Test("§5.2.2.4: no-cache with names withholds those fields until the response is validated")
    func qualifiedNoCache() {
        let fields: Fields = [("Cache-Control", "max-age=60, no-cache=\"X-One\""), ("X-One", "1"), ("X-Two", "2")]
        #expect(CacheVector.decision(fields, after: 1) == CacheVector.fresh)
        let stored = CacheVector.stored(fields)
        let names = stored.servedFields(at: CacheVector.time).map(\.name.canonicalName)
        #expect(names == ["cache-control", "x-two", "date", "age"])
        let validated = stored.servedFields(at: CacheVector.time, isValidated: true).map(\.name.canonicalName)
        #expect(validated.contains("x-one"))
    }

    @Test("§4.2.4, §5.2.2.2: no request gets a stale response with must-revalidate")
    func mustRevalidate() {
        let fields: Fields = [
            ("Cache-Control", "max-age=60, must-revalidate, stale-while-revalidate=99, stale-if-error=99"),
            CacheVector.tag,
        ]
        #expect(CacheVector.decision(fields, after: 59) == CacheVector.fresh)
        #expect(CacheVector.decision(fields, after: 61, [("Cache-Control", "max-stale")]) == CacheVector.ask)
        #expect(CacheVector.decision(fields, after: 61, [], .returnCachedElseLoad) == CacheVector.ask)
        #expect(CacheVector.decision(fields, after: 61, [], .onlyCached) == .refuse)
        #expect(!CacheDecision.allowsOnError(CacheVector.stored(fields), [:], now: CacheVector.time + 61))
    }

    @Test("§4.2.4: the cache uses a stale response only if the request or the policy allows that")
    func stale() {
        #expect(CacheVector.decision(Self.minute, after: 61, [("Cache-Control", "max-stale")]) == CacheVector.stale)
        #expect(CacheVector.decision(Self.minute, after: 70, [("Cache-Control", "max-stale=10")]) == CacheVector.stale)
        #expect(CacheVector.decision(Self.minute, after: 71, [("Cache-Control", "max-stale=10")]) == CacheVector.ask)
        // §5.2.1.1, §5.2.1.2: `max-stale` also extends the `max-age` of the request, by at most its value.
        let both = [("Cache-Control", "max-age=20, max-stale=5")]
        #expect(CacheVector.decision(Self.minute, after: 25, both) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 26, both) == CacheVector.ask)
        #expect(CacheVector.decision(Self.minute, after: 61, [], .returnCachedElseLoad) == CacheVector.stale)
        #expect(CacheVector.decision(Self.minute, after: 61, [], .onlyCached) == CacheVector.stale)
    }

    @Test("§5.2.1: the cache obeys the directives of a request about age and freshness")
    func wishes() {
        let ask = CacheVector.ask
        #expect(CacheVector.decision(Self.minute, after: 30, [("Cache-Control", "max-age=30")]) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 31, [("Cache-Control", "max-age=30")]) == ask)
        #expect(CacheVector.decision(Self.minute, after: 30, [("Cache-Control", "min-fresh=30")]) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 31, [("Cache-Control", "min-fresh=30")]) == ask)
        #expect(CacheVector.decision(Self.minute, after: 1, [("Cache-Control", "no-cache")]) == ask)
        #expect(CacheVector.decision(Self.minute, after: 1, [("Cache-Control", "max-age=0")]) == ask)
        #expect(CacheVector.decision(Self.minute, after: 0, [("Cache-Control", "max-age=0")]) == ask)
        let bearable = [("Cache-Control", "max-age=0, max-stale=5")]
        #expect(CacheVector.decision(Self.minute, after: 0, bearable) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 0, [("Cache-Control", "max-age=1")]) == CacheVector.fresh)
        #expect(CacheVector.decision(nil, after: 1, [("Cache-Control", "only-if-cached")]) == .refuse)
        #expect(CacheVector.decision(Self.minute, after: 1, [("Cache-Control", "only-if-cached")]) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 61, [("Cache-Control", "only-if-cached")]) == .refuse)
    }

    @Test("§5.4: Pragma: no-cache counts if there is no Cache-Control")
    func pragma() {
        #expect(CacheVector.decision(Self.minute, after: 1, [("Pragma", "no-cache")]) == CacheVector.ask)
        let both: Fields = [("Pragma", "no-cache"), ("Cache-Control", "max-age=50")]
        #expect(CacheVector.decision(Self.minute, after: 1, both) == CacheVector.fresh)
        #expect(CacheVector.decision(Self.minute, after: 1, [("Pragma", "x")]) == CacheVector.fresh)
    }

    @Test("§4: each policy decides whether the cache uses, validates or forwards")
    func policies() {
        #expect(CacheVector.decision(Self.minute, after: 1, [], .reload) == .forward)
        #expect(CacheVector.decision(Self.minute, after: 1, [], .revalidate) == CacheVector.ask)
        #expect(CacheVector.decision(Self.minute, after: 1, [], .onlyCached) == CacheVector.fresh)
        #expect(CacheVector.decision(nil, after: 1, [], .onlyCached) == .refuse)
        #expect(CacheVector.decision(nil, after: 1, [], .returnCachedElseLoad) == .forward)
    }

    @Test(
        "§4: the cache forwards ranges, the caller's conditions and other methods",
        arguments: [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Upgrade",
        ]
    )
    func passing(_ name: String) {
        #expect(!CacheDecision.concerns(.get, CacheVector.fields([(name, "x")])))
        #expect(CacheDecision.concerns(.get, [:]) && CacheDecision.concerns(.head, [:]))
        #expect(!CacheDecision.concerns(.post, [:]) && !CacheDecision.concerns(.put, [:]))
        #expect(!CacheDecision.concerns(.get, [.cacheControl: "no-store"]))
    }

    @Test("§4.1: the nominated fields of two requests must match")
    func vary() throws {
        let accept: HTTPFields = [.acceptLanguage: "de , en", .accept: "a"]
        let vary = ["Accept-Language", " X-None,,"]
        let variant = try #require(StoredResponse.Variant(vary: vary, request: accept, digest: CacheVector.digest))
        #expect(variant.nominations.map(\.name) == ["accept-language", "x-none"])
        #expect(variant.nominations.map(\.digest) == ["<de,en>", nil])
        #expect(variant.matches([.acceptLanguage: "de,en"], digest: CacheVector.digest))
        #expect(!variant.matches([.acceptLanguage: "en,de"], digest: CacheVector.digest))
        #expect(!variant.matches([:], digest: CacheVector.digest))
        let lines = CacheVector.fields([("Accept-Language", "de"), ("Accept-Language", "en")])
        #expect(variant.matches(lines, digest: CacheVector.digest))
        let more = CacheVector.fields([("Accept-Language", "de, en"), ("X-None", "")])
        #expect(!variant.matches(more, digest: CacheVector.digest))
    }

    @Test(
        "§4.1: Vary: * never matches a request",
        arguments: [["*"], ["Accept, *"], ["Accept", " * "], ["a b"], ["ä"], ["(x)"]]
    )
    func star(_ vary: [String]) {
        #expect(StoredResponse.Variant(vary: vary, request: [:], digest: CacheVector.digest) == nil)
    }

    @Test("§4.1: a Vary that names too many fields matches no request")
    func tooMuchVary() {
        let names = (0...StoredResponse.Variant.maximumCount).map { "x-\($0)" }
        #expect(StoredResponse.Variant(vary: names, request: [:], digest: CacheVector.digest) == nil)
        #expect(StoredResponse.Variant(vary: Array(names.dropLast()), request: [:], digest: CacheVector.digest) != nil)
        #expect(StoredResponse.Variant(vary: [], request: [:], digest: CacheVector.digest)?.nominations == [])
    }

    @Test("§4.1: white space within a quoted string does not separate the items of a list")
    func quoted() throws {
        let variant = try #require(
            StoredResponse.Variant(vary: ["Prefer"], request: Self.preferring(#"x="a, b""#), digest: CacheVector.digest)
        )
        #expect(variant.matches(Self.preferring(#"x="a, b""#), digest: CacheVector.digest))
        #expect(!variant.matches(Self.preferring(#"x="a,b""#), digest: CacheVector.digest))
    }

    private static func preferring(_ value: String) -> HTTPFields {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Prefer") { fields[name] = value }
        return fields
    }

    @Test("§4, §5.1: the cache generates Age, and replaces a received one")
    func age() throws {
        let name = try #require(HTTPField.Name("Age"))
        let stored = CacheVector.stored([("Age", "5"), ("Age", "6"), ("Cache-Control", "max-age=60")])
        #expect(stored.servedFields(at: CacheVector.time + 3)[values: name] == ["8"])
    }

    @Test("§4.2.1: the cache validates a response with a malformed Cache-Control each time")
    func malformed() {
        let fields: Fields = [("Cache-Control", "max-age = 60"), CacheVector.tag]
        #expect(CacheVector.decision(fields, after: 0) == CacheVector.ask)
        #expect(CacheVector.decision(fields, after: 0, [], .returnCachedElseLoad) == CacheVector.ask)
    }

    @Test(
        "§4.4: a successful answer to an unsafe method invalidates stored responses",
        arguments: [
            HTTPRequest.Method.post, .put, .delete, .patch, HTTPRequest.Method("PROPPATCH") ?? .post,
        ]
    )
    func invalidation(_ method: HTTPRequest.Method) {
        for status in [200, 201, 204, 301, 303, 307] { #expect(CacheDecision.invalidates(method, status)) }
        for status in [400, 404, 412, 500, 503] { #expect(!CacheDecision.invalidates(method, status)) }
        for safe in [HTTPRequest.Method.get, .head, .options, .trace] { #expect(!CacheDecision.invalidates(safe, 200)) }
    }
}
