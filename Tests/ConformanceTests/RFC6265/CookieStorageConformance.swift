// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import Testing

@Suite("RFC 6265bis, storage")
struct CookieStorageConformance {
    /// A cookie, the URL that sends it, and the reason that the jar ignores it.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var url = "https://www.example.com/a/b"
        var cause = CookieRequest.Cause.sameSite
        var violation: CookieViolation?
    }

    static let rows: [Row] = [
        Row(testDescription: "step 2: neither name nor value", text: "=", violation: .empty),
        Row(testDescription: "step 2: nothing but attributes", text: "; Path=/", violation: .empty),
        Row(
            testDescription: "step 8: a domain that is not ASCII",
            text: "a=b; Domain=exämple.com",
            violation: .malformedDomain
        ),
        Row(testDescription: "step 9: a top-level domain", text: "a=b; Domain=com", violation: .publicSuffix),
        Row(testDescription: "step 9: with dots around it", text: "a=b; Domain=.com.", violation: .publicSuffix),
        Row(
            testDescription: "step 9: a suffix of two labels",
            text: "a=b; Domain=co.uk",
            url: "https://example.co.uk/",
            violation: .publicSuffix
        ),
        Row(
            testDescription: "step 9: one of a company",
            text: "a=b; Domain=github.io",
            url: "https://evil.github.io/",
            violation: .publicSuffix
        ),
        Row(
            testDescription: "step 9: one by a wildcard",
            text: "a=b; Domain=test.ck",
            url: "https://www.test.ck/",
            violation: .publicSuffix
        ),
        Row(testDescription: "step 9: an exception is none", text: "a=b; Domain=www.ck", url: "https://a.www.ck/"),
        Row(
            testDescription: "step 9: a domain that nobody knows",
            text: "a=b; Domain=corp",
            url: "https://intranet.corp/",
            violation: .publicSuffix
        ),
        Row(
            testDescription: "step 9: the host itself may be a suffix",
            text: "a=b; Domain=github.io",
            url: "https://github.io/"
        ),
        Row(testDescription: "step 9: localhost", text: "a=b; Domain=localhost", url: "http://localhost/"),
        Row(testDescription: "step 10: the host", text: "a=b; Domain=www.example.com"),
        Row(testDescription: "step 10: above the host", text: "a=b; Domain=example.com"),
        Row(testDescription: "step 10: another host", text: "a=b; Domain=example.org", violation: .foreignDomain),
        Row(
            testDescription: "step 10: below the host",
            text: "a=b; Domain=a.www.example.com",
            violation: .foreignDomain
        ),
        Row(
            testDescription: "step 10: beside the host",
            text: "a=b; Domain=api.example.com",
            violation: .foreignDomain
        ),
        Row(
            testDescription: "step 10: an end that is no label",
            text: "a=b; Domain=example.com",
            url: "https://badexample.com/",
            violation: .foreignDomain
        ),
        Row(
            testDescription: "step 10: two dots before it",
            text: "a=b; Domain=..example.com",
            violation: .foreignDomain
        ),
        Row(testDescription: "step 10: a dot behind it", text: "a=b; Domain=example.com.", violation: .foreignDomain),
        Row(testDescription: "step 10: the same address", text: "a=b; Domain=10.0.0.1", url: "https://10.0.0.1/"),
        Row(
            testDescription: "step 10: the end of an address",
            text: "a=b; Domain=0.0.1",
            url: "https://10.0.0.1/",
            violation: .foreignDomain
        ),
        Row(
            testDescription: "step 13: Secure over HTTP",
            text: "a=b; Secure",
            url: "http://example.com/",
            violation: .insecure
        ),
        Row(
            testDescription: "step 18: Strict from elsewhere",
            text: "a=b; SameSite=Strict",
            cause: .crossSite,
            violation: .crossSite
        ),
        Row(
            testDescription: "step 18: Lax from elsewhere",
            text: "a=b; SameSite=Lax",
            cause: .crossSite,
            violation: .crossSite
        ),
        Row(testDescription: "step 18: unsaid from elsewhere", text: "a=b", cause: .crossSite, violation: .crossSite),
        Row(
            testDescription: "step 18: a navigation may set it",
            text: "a=b; SameSite=Strict",
            cause: .crossSiteNavigation(isSafe: false)
        ),
        Row(testDescription: "step 18: None from elsewhere", text: "a=b; SameSite=None; Secure", cause: .crossSite),
        Row(testDescription: "step 19: None without Secure", text: "a=b; SameSite=None", violation: .insecureCrossSite),
        Row(testDescription: "step 20: __Secure-", text: "__Secure-a=b; Secure"),
        Row(testDescription: "step 20: without Secure", text: "__Secure-a=b", violation: .securePrefix),
        Row(testDescription: "step 20: in any case", text: "__SeCuRe-a=b", violation: .securePrefix),
        Row(testDescription: "step 21: __Host-", text: "__Host-a=b; Secure; Path=/"),
        Row(testDescription: "step 21: without Secure", text: "__Host-a=b; Path=/", violation: .hostPrefix),
        Row(
            testDescription: "step 21: with Domain",
            text: "__Host-a=b; Secure; Path=/; Domain=example.com",
            violation: .hostPrefix
        ),
        Row(
            testDescription: "step 21: without Path",
            text: "__Host-a=b; Secure",
            url: "https://example.com/",
            violation: .hostPrefix
        ),
        Row(testDescription: "step 21: with another path", text: "__Host-a=b; Secure; Path=/a", violation: .hostPrefix),
        Row(testDescription: "step 21: in any case", text: "__hOST-a=b; Secure", violation: .hostPrefix),
        Row(
            testDescription: "step 22: no name, and a prefix",
            text: "=__Secure-a=b; Secure",
            violation: .disguisedPrefix
        ),
        Row(testDescription: "step 22: not even a sign", text: "__hoSt-a; Secure; Path=/", violation: .disguisedPrefix),
        Row(testDescription: "step 22: no name, and no prefix", text: "=_Secure-a=b"),
    ]

    @Test(arguments: rows)
    func `5.7: what is ignored, and what is not`(_ row: Row) {
        var scene = JarScene()
        #expect(scene.set(row.text, from: row.url, row.cause) == row.violation)
        #expect(scene.jar.count == (row.violation == nil ? 1 : 0))
        #expect(row.violation?.description.isEmpty != true)
        #expect(row.violation?.section.hasPrefix("RFC 6265bis §") != false)
    }

    @Test func `5.7 step 6: Max-Age comes before Expires, wherever it stands`() throws {
        var scene = JarScene()
        scene.set("a=b; Max-Age=60; Expires=1 Jan 2000 00:00:00")
        scene.set("c=d; Expires=1 Jan 2000 00:00:00; Max-Age=60")
        scene.set("e=f")
        #expect(scene.jar.cookies.map(\.expiry) == [scene.now + 60, scene.now + 60, nil])
        #expect(scene.jar.cookies.map(\.isSessionCookie) == [false, false, true])
    }

    @Test func `5.5: nothing is kept for more than 400 days`() {
        var scene = JarScene()
        scene.set("a=b; Max-Age=99999999999")
        scene.set("c=d; Expires=1 Jan 9999 00:00:00")
        #expect(scene.jar.cookies.map(\.expiry) == [scene.now + 34_560_000, scene.now + 34_560_000])
    }

    @Test func `5.7 step 9: a domain that is the host's and a suffix is left out`() {
        var scene = JarScene()
        scene.set("a=b; Domain=github.io", from: "https://github.io/")
        #expect(scene.jar.cookies.map(\.isHostOnly) == [true])
        #expect(scene.sent(to: "https://evil.github.io/").isEmpty)
    }

    @Test func `5.7 step 11: without a path, that of the request up to its last slash`() {
        for (url, path) in [
            ("https://example.com", "/"), ("https://example.com/", "/"), ("https://example.com/a", "/"),
            ("https://example.com/a/", "/a"), ("https://example.com/a/b", "/a"), ("https://example.com//", "/"),
        ] {
            var scene = JarScene()
            scene.set("a=b", from: url)
            scene.set("c=d; Path=e", from: url)
            #expect(scene.jar.cookies.map(\.path) == [path, path], "\(url)")
        }
    }

    // MARK: Secure cookies are left alone

    /// The path and domain of a new cookie without `Secure`, and whether it would hide a `Secure` cookie for `/login`.
    static let overlays: [(text: String, url: String, isIgnored: Bool)] = [
        ("a=x; Path=/login", "http://www.example.com/", true),
        ("a=x; Path=/login/en", "http://www.example.com/", true),
        ("a=x", "http://www.example.com/login/", true),
        ("a=x; Path=/", "http://www.example.com/", false),
        ("a=x; Path=/foo", "http://www.example.com/", false),
        ("a=x; Path=/loginx", "http://www.example.com/", false),
        ("b=x; Path=/login", "http://www.example.com/", false),
        ("a=x; Path=/login; Domain=example.com", "http://www.example.com/", true),
        ("a=x; Path=/login", "http://below.www.example.com/", true),
        ("a=x; Path=/login", "http://other.example.com/", false),
        ("a=x; Path=/login", "https://www.example.com/", false),
    ]

    @Test(arguments: overlays)
    func `5.7 step 16: a cookie from HTTP does not hide one that is secure`(text: String, url: String, isIgnored: Bool)
    {
        var scene = JarScene()
        #expect(
            scene.set("a=secret; Secure; Path=/login; Domain=www.example.com", from: "https://www.example.com/") == nil
        )
        #expect(scene.set(text, from: url) == (isIgnored ? .overlaysSecure : nil))
        #expect(scene.sent(to: "https://www.example.com/login").contains("a=secret"))
    }

    // MARK: Replacing

    @Test func `5.7 step 23: the same name, domain and path replace, and the time of creation stays`() {
        var scene = JarScene()
        let start = scene.now
        scene.set("a=1; Path=/")
        scene.pass(10)
        scene.set("b=1; Path=/")
        scene.pass(10)
        scene.set("a=2; Path=/; Secure; HttpOnly")
        #expect(scene.jar.count == 2)
        #expect(scene.jar.cookies.first?.creation == start)
        #expect(scene.jar.cookies.first?.isHTTPOnly == true)
        #expect(scene.sent(to: "https://www.example.com/") == "a=2; b=1")
    }

    @Test func `5.7 step 23: another path, domain or host-only-flag is another cookie`() {
        var scene = JarScene()
        scene.set("a=1; Path=/")
        scene.set("a=2; Path=/a")
        scene.set("a=3; Path=/; Domain=www.example.com")
        scene.set("a=4; Path=/; Domain=example.com")
        scene.set("A=5; Path=/")
        #expect(scene.jar.count == 5)
    }

    @Test func `5.7: a cookie that has ended removes the one before`() {
        for end in ["Max-Age=0", "Max-Age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"] {
            var scene = JarScene()
            scene.set("a=b; Path=/")
            scene.set("c=d; Path=/")
            scene.set("a=; Path=/; \(end)")
            #expect(scene.sent(to: "https://www.example.com/") == "c=d")
            #expect(scene.jar.count == 1)
        }
    }
}
