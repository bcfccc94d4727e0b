// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import Testing

@Suite("Netscape's cookies.txt")
struct NetscapeFileTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let title = "# Netscape HTTP Cookie File\n"

    private static func decode(_ text: String) throws(CookieFile.ForeignText) -> CookieFile.Content {
        try CookieFile.decode(netscape: Data(text.utf8), at: Self.now)
    }

    @Test func `what curl writes is read`() throws {
        let content = try Self.decode(
            Self.title + """
                # https://curl.se/docs/http-cookies.html

                .example.com\tTRUE\t/\tFALSE\t1800000060\tall\t1
                www.example.com\tFALSE\t/p\tTRUE\t0\tsession\ta=b "c"\r
                #HttpOnly_WWW.example.com\tFALSE\t/\tTRUE\t9999999999\thidden\t

                """
        )
        #expect(content.damagedLineCount == 0)
        let cookies = content.jar.cookies
        #expect(cookies.map(\.name) == ["all", "session", "hidden"])
        #expect(cookies.map(\.value) == ["1", "a=b \"c\"", ""])
        #expect(cookies.map(\.domain) == ["example.com", "www.example.com", "www.example.com"])
        #expect(cookies.map(\.isHostOnly) == [false, true, true])
        #expect(cookies.map(\.path) == ["/", "/p", "/"])
        #expect(cookies.map(\.isSecure) == [false, true, true])
        #expect(cookies.map(\.isHTTPOnly) == [false, false, true])
        #expect(cookies.map(\.expiry) == [Self.now + 60, nil, Self.now + 34_560_000])
    }

    static let variants: [(line: String, cookie: String)] = [
        ("example.com\tTRUE\t/\tFALSE\t0\tn\tv", "all example.com/ n=v"),
        ("example.com\tTrue\t/\tfalse\t0\tn\tv", "all example.com/ n=v"),
        ("example.com\tyes\t/\ttrue\t0\tn\tv", "host example.com/ n=v secure"),
        (".example.com\tFALSE\t/\tTRUE\t0\tn\tv", "host example.com/ n=v secure"),
        ("#HttpOnly_.example.com\tTRUE\t/\tFALSE\t0\tn\tv", "all example.com/ n=v hidden"),
        ("example.com\tTRUE\t/\tFALSE\t0\tn\t", "all example.com/ n="),
        ("example.com\tTRUE\t/\tFALSE\t0\tn", "all example.com/ n="),
        ("example.com\tTRUE\tFALSE\t0\tn\tv", "all example.com/ n=v"),
        ("example.com\tTRUE\tTRUE\t0\tn", "all example.com/ n= secure"),
        ("example.com\tTRUE\t\tFALSE\t0\tn\tv", "all example.com/ n=v"),
        ("example.com\tTRUE\tp\tFALSE\t0\tn\tv", "all example.com/ n=v"),
        ("example.com\tTRUE\t\"/p\"\tFALSE\t0\tn\tv", "all example.com/p n=v"),
        ("example.com\tTRUE\t/\tFALSE\t1800000060.25\tn\tv", "all example.com/ n=v until 60"),
        ("  example.com\tTRUE\t/\tFALSE\t0\tn\tv", "all example.com/ n=v"),
        ("Set-Cookie: n=v; Domain=.Example.com; path=/p; secure", "all example.com/p n=v secure"),
        ("set-cookie:n=v; domain=example.com; httponly; max-age=60", "all example.com/ n=v hidden until 60"),
    ]

    private static func text(_ cookie: Cookie) -> String {
        let place = "\(cookie.isHostOnly ? "host" : "all") \(cookie.domain)\(cookie.path)"
        let end = cookie.expiry.map { " until \(Int($0.timeIntervalSince(Self.now)))" } ?? ""
        let flags = (cookie.isSecure ? " secure" : "") + (cookie.isHTTPOnly ? " hidden" : "")
        return "\(place) \(cookie.name)=\(cookie.value)\(flags)\(end)"
    }

    @Test(arguments: variants, ["", "\u{FEFF}", "# exported\r\n\r\n", "\u{FEFF}\n# HTTP Cookie File\n"])
    func `what curl lets pass is read, with or without a title`(
        variant: (line: String, cookie: String),
        start: String
    ) throws {
        for end in ["", "\n", "\r\n", "\r", "\n\n"] {
            let content = try Self.decode(start + variant.line + end)
            #expect(content.damagedLineCount == 0 && content.firstDamagedLine == nil)
            #expect(content.jar.cookies.map { Self.text($0) } == [variant.cookie])
        }
    }

    static let wrong = [
        "example.com\tTRUE\t/\tFALSE\t0", "example.com\tTRUE\t/\tFALSE\t0\tn\tv\tx",
        "example.com TRUE / FALSE 0 n v",
        "example.com\tTRUE\t/\tno\t0\tn\tv", "example.com\tTRUE\t/\t\t0\tn\tv",
        "example.com\tTRUE\t/\tFALSE\t-1\tn\tv", "example.com\tTRUE\t/\tFALSE\t\tn\tv",
        "example.com\tTRUE\t/\tFALSE\t.5\tn\tv", "example.com\tTRUE\t/\tFALSE\t1.\tn\tv",
        "example.com\tTRUE\t/\tFALSE\tsoon\tn\tv", "\tTRUE\t/\tFALSE\t0\tn\tv", "#HttpOnly_",
        "example.com\tTRUE\t/\tFALSE\t0\tn\ta;b", "example.com\tTRUE\t/\tTRUE\t0\t__Host-n\tv",
        "example.com\tTRUE\t/\tFALSE\t99999999999999999999\tn\tv", "example.com\tTRUE\t/\tFALSE\t0\t\t",
        "example.com\tTRUE\t/\tFALSE\t0\tn\ta\u{1B}b", "Set-Cookie: n=v", "Set-Cookie: n=v; Domain=",
        "Set-Cookie: n=v; Domain=co.uk; Path=\u{1B}",
    ]

    @Test(arguments: wrong)
    func `a line that is no cookie is counted and left out`(_ line: String) throws {
        for end in ["\n", "\r\n", "\r"] {
            let lines = [Self.title + line, "example.com\tFALSE\t/\tFALSE\t0\tgood\t1", ""]
            let content = try Self.decode(lines.joined(separator: end))
            #expect(content.damagedLineCount == 1 && content.firstDamagedLine == 2)
            #expect(content.jar.cookies.map(\.name) == ["good"])
        }
    }

    @Test(
        arguments: ["example.com\tTRUE\t/\tFALSE\t0\tn\tv", "# HTTP Cookie File", "\n # Netscape HTTP Cookie File"],
        ["example.com\tTRUE", "my thesis"]
    )
    func `a cookie or a title on any line tells that a file with other lines is one`(
        _ line: String,
        _ other: String
    ) throws {
        for text in ["\(line)\n\(other)\n", "\(other)\n\(line)\n"] {
            #expect(try Self.decode(text).damagedLineCount == 1)
        }
    }

    @Test func `one for a registry and one that has ended are left out`() throws {
        let text = Self.title + ".co.uk\tTRUE\t/\tFALSE\t0\ta\t1\nexample.com\tFALSE\t/\tFALSE\t1\tb\t1\n"
        #expect(try Self.decode(text).jar.count == 0)
    }

    @Test func `the heads of responses are read for their cookies`() throws {
        let content = try Self.decode(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: a=1; Domain=example.com\r\n\r\n"
        )
        #expect(content.damagedLineCount == 0)
        #expect(content.jar.cookies.map { Self.text($0) } == ["all example.com/ a=1"])
    }

    @Test(arguments: ["", "\n\r\n", "# nothing\n", "\u{FEFF}", "# Netscape HTTP Cookie File"])
    func `a file of comments has no cookies`(_ text: String) throws {
        let content = try Self.decode(text)
        #expect(content.jar.count == 0 && content.damagedLineCount == 0)
    }

    @Test(arguments: ["hello", "[{\"name\": \"a\"}]\n", "# a\nb\tc\n", "a,b,c\r\n1,2,3\r\n", "\u{0}\u{1}\t\u{2}"])
    func `a file of something else is refused`(_ text: String) {
        #expect(throws: CookieFile.ForeignText.self) { try Self.decode(text) }
    }

    @Test func `every part of a file is read or refused, and is no other cookie`() throws {
        let lines = Self.variants.map(\.line).joined(separator: "\r\n")
        let data = Data((Self.title + lines).utf8)
        for count in 0...data.count {
            guard let content = try? CookieFile.decode(netscape: data.prefix(count), at: Self.now) else { continue }
            #expect(content.jar.cookies.allSatisfy { "example.com".hasPrefix($0.domain) })
            #expect(content.damagedLineCount <= 1)
            // A slice has other indices than a copy.
            let rest = try? CookieFile.decode(netscape: data.dropFirst(count), at: Self.now)
            let copy = try? CookieFile.decode(netscape: Data(data.dropFirst(count)), at: Self.now)
            #expect(rest?.jar.cookies == copy?.jar.cookies)
        }
    }

    @Test func `a line may be as long as a file`() throws {
        let long = String(repeating: "x", count: 100_000)
        let tabs = String(repeating: "\t", count: 100_000)
        let text = Self.title + "example.com\tTRUE\t/\tFALSE\t0\tn\t\(long)\n\(tabs)\n\(long)\n"
        #expect(try Self.decode(text).damagedLineCount == 3)
    }
}
