// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import Testing

@Suite("Requests from the text of a URL (RFC 3986 §2.4)")
struct RequestTextTests {
    static let texts: [(text: String, url: String)] = [
        ("http://h/?filter[name]=a%20b", "http://h/?filter%5Bname%5D=a%20b"),
        ("http://h/My%20File (1).pdf", "http://h/My%20File%20(1).pdf"),
        ("http://h/caf\u{E9}%20x", "http://h/caf%C3%A9%20x"),
        ("http://h/a%2Fb c", "http://h/a%2Fb%20c"),
        ("http://h/%2525 %25", "http://h/%2525%20%25"),
        ("http://h/%e9|%E9", "http://h/%e9%7C%E9"),
        ("http://h/a%20b?c|%7C#d e%20f", "http://h/a%20b?c%7C%7C#d%20e%20f"),
        ("http://h/a?b#c#d%23", "http://h/a?b#c%23d%23"),
        ("http://h/a?b?c[%5D", "http://h/a?b?c%5B%5D"),
        ("http://u[%20:p %40@h/", "http://u%5B%20:p%20%40@h/"),
        ("http://h/\"<>^`{|}%41", "http://h/%22%3C%3E%5E%60%7B%7C%7D%41"),
        ("http://h/a\\b%20", "http://h/a%5Cb%20"),
        ("http://[::1]:8080/x y%20", "http://[::1]:8080/x%20y%20"),
    ]

    @Test(arguments: texts)
    func `escapes stay, and what is not allowed is encoded once`(text: String, url: String) throws {
        let request = Request(.get, text)
        #expect(request.problem == nil)
        #expect(request.url.absoluteString == url)
        #expect(Request(.get, request.url.absoluteString).url == request.url)
        #expect(request.path("x").query("y", 1).path("z").problem == nil)
    }

    static let lonely: [(text: String, url: String)] = [
        ("http://h/100%", "http://h/100%25"), ("http://h/%zz%4", "http://h/%25zz%254"),
        ("http://h/%%41", "http://h/%25%41"), ("http://h/?a=50% off%21", "http://h/?a=50%25%20off%21"),
        ("http://h/%\u{E9}", "http://h/%25%C3%A9"), ("http://h/%2\u{E9}0", "http://h/%252%C3%A90"),
    ]

    @Test(arguments: lonely)
    func `a percent sign that begins no escape is encoded`(text: String, url: String) {
        #expect(Request(.get, text).url.absoluteString == url)
    }

    @Test(arguments: [
        " http://h/x", "http://h/x ", "\t http://h/x\r\n", "\nhttp://h/x", "http://h/x\u{0B}\u{0C}",
    ])
    func `white space around a URL is not a part of it`(text: String) throws {
        let request = Request(.get, text)
        #expect(try request.destination().target == "/x")
        #expect(request.url.absoluteString == "http://h/x")
    }

    @Test(arguments: ["", " ", "\r\n\t"])
    func `nothing but white space is no URL`(text: String) {
        #expect(Request(.get, text).problem == .emptyURL)
    }

    @Test(arguments: [
        "http://good.example\\@evil.example/", "http://good.example\\.evil.example/", "http://good.example:80\\@evil/",
        "http://good.example%20\\@evil.example/", "http://good.example\\", "https://\\evil.example/", "http://a@b@c/",
        "//good.example\\@evil.example/", "ws://good.example\\@evil.example/", "http://a%40b@c@d/", "http://a b/",
        "http://a<b/", "http://a%b/", "http://a\tb/", "http://[::1 ]/", "http://[fe80::1%eth0]/",
        "http://[fe80::1%41a]/", "http://[::1/", "http://u:p@[FE8:80/", "http://a[b]/", "http://[a][b]/",
        "http://::1]/",
    ])
    func `what parsers read as one host or another is refused`(text: String) {
        let request = Request(.get, text)
        #expect(request.problem == .malformedHost)
        #expect(throws: RequestFailure.malformedHost) { try request.destination() }
    }

    @Test(arguments: ["http:\\\\evil.example/", "http:/\\evil.example/", "http:\\/evil.example/"])
    func `a backslash is no slash`(text: String) {
        #expect(throws: RequestFailure.missingHost) { try Request(.get, text).destination() }
    }

    @Test func `modifiers leave the escapes of the text`() {
        let request = Request(.get, "http://h/a%20[b]?c[0]=%20d").path("e f").query("g[]", "%").target("/{h}")
        #expect(request.problem == .malformedTarget)
        let other = Request(.get, "http://h/a%20[b]?c[0]=%20d").path("e f").query("g[]", "%").target("/h%20i?j=%20")
        #expect(
            other.url.absoluteString == "http://h/a%20%5Bb%5D/e%20f/h%20i?c%5B0%5D=%20d&g%5B%5D=%25&j=%20"
        )
    }

    @Test(arguments: ["a[0]%20b", "a b%5B0%5D", "?q=[%20]", "#f|%20", "../x%20y z"])
    func `a relative reference has escapes, too`(text: String) {
        let request = Request(.get, text)
        #expect(request.problem == nil)
        #expect(!request.url.absoluteString.contains("%25"))
        #expect(request.url.absoluteString.contains("%20") || request.url.absoluteString.contains("%5B"))
    }
}
