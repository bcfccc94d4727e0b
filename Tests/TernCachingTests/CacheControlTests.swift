// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("Cache-Control, read")
struct CacheControlTests {
    @Test func `nothing says nothing`() {
        let control = CacheControl([:])
        #expect(!control.isPresent && !control.isMalformed && !control.noStore && control.noCache == nil)
        #expect(control.maxAge == nil && control.maxStale == nil && control.minFresh == nil)
    }

    @Test(arguments: [
        "max-age=60", "MAX-AGE=60", "max-age=\"60\"", " ,, max-age=60 ,", "foo=bar, max-age=60", "max-age=60,x",
    ])
    func `a time is read in every form`(value: String) {
        let control = CacheControl([value])
        #expect(control.maxAge == 60 && !control.isMalformed)
    }

    @Test(
        arguments: [
            ("max-age", 0), ("max-age=", nil), ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=1e9", 0),
            ("max-age=\"\"", 0),
            ("max-age=0x10", 0), ("max-age=\" 60\"", 0), ("max-age=+60", 0), ("max-age=2147483648", 1 << 31),
            ("max-age=99999999999999999999999999", 1 << 31), ("max-age=60, max-age=60", 60),
            ("max-age=60, max-age=61", 0),
            ("max-age=60, max-age=x", 0),
        ] as [(String, Int64?)]
    )
    func `a time that is none is no time at all`(value: String, seconds: Int64?) {
        #expect(CacheControl([value]).maxAge == seconds)
    }

    @Test(arguments: [
        "max-age=", "max-age = 60", "=60", "max-age=6 0", "\"no-cache\"", "a=\"b", "a=\"b\"c", "@", "no-cache;x",
    ])
    func `what cannot be read is known to be there`(value: String) {
        #expect(CacheControl([value]).isMalformed)
        #expect(CacheControl([value, "no-store"]).noStore)
        #expect(CacheControl(["\(value), no-store"]).noStore)
    }

    @Test func `names of fields belong to a directive`() {
        #expect(CacheControl(["no-cache"]).noCache == .all)
        #expect(CacheControl(["no-cache=\"Set-Cookie, X-One\""]).noCache == .fields(["set-cookie", "x-one"]))
        #expect(CacheControl(["no-cache=\"a\"", "no-cache=b"]).noCache == .fields(["a", "b"]))
        #expect(CacheControl(["no-cache=\"a\", no-cache"]).noCache == .all)
        #expect(CacheControl(["no-cache, no-cache=\"a\""]).noCache == .all)
        #expect(CacheControl(["no-cache=\"\""]).noCache == .all)
        #expect(CacheControl(["no-cache=\"a, /b\""]).noCache == .all)
        // Text in quotation marks is not a directive.
        #expect(!CacheControl(["x=\"no-store, max-age=5\""]).noStore)
        #expect(CacheControl(["x=\"\\\"\", no-store"]).noStore)
    }

    @Test func `every directive is known`() {
        let response = CacheControl([
            "public, private, no-store, must-revalidate, must-understand, immutable", "stale-while-revalidate=1",
            "stale-if-error=2",
        ])
        #expect(response.isPublic && response.isPrivate && response.noStore && response.mustRevalidate)
        #expect(response.mustUnderstand && response.isImmutable)
        #expect(response.staleWhileRevalidate == 1 && response.staleIfError == 2)
        let request = CacheControl(["max-stale, min-fresh=3, only-if-cached, no-cache"])
        #expect(request.maxStale == CacheControl.maximumSeconds && request.minFresh == 3 && request.onlyIfCached)
        #expect(CacheControl(["max-stale=7"]).maxStale == 7)
        #expect(CacheControl(["min-fresh=x"]).minFresh == CacheControl.maximumSeconds)
    }

    @Test func `too much is not stored`() {
        let long = CacheControl(["max-age=60, x=\(String(repeating: "a", count: CacheControl.maximumByteCount))"])
        #expect(long.noStore && long.isMalformed)
        let many = CacheControl([
            Array(repeating: "x", count: CacheControl.maximumDirectiveCount + 1).joined(separator: ",")
        ])
        #expect(many.noStore && many.isMalformed)
        let full = CacheControl([
            Array(repeating: "x", count: CacheControl.maximumDirectiveCount).joined(separator: ",")
        ])
        #expect(!full.noStore && !full.isMalformed)
    }
}
