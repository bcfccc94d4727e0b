// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

@Suite("MediaType")
struct MediaTypeTests {
    @Test(arguments: [
        ("text/html", "text", "html"), ("Text/HTML", "text", "html"), (" text/html ", "text", "html"),
        ("application/problem+json", "application", "problem+json"), ("text/html;", "text", "html"),
        ("text/html; ;charset=utf-8;", "text", "html"), ("a/b", "a", "b"),
    ])
    func `§8.3.1 type and subtype, in lower case`(text: String, type: String, subtype: String) throws {
        let media = try #require(MediaType(text))
        #expect(media.type == type)
        #expect(media.subtype == subtype)
        #expect(media.essence == "\(type)/\(subtype)")
    }

    @Test(arguments: [
        ("text/html;charset=utf-8", "utf-8"), ("text/html; Charset=\"UTF-8\"", "UTF-8"),
        ("text/html;\tcharset=\"a\\\"b;c=d\"", "a\"b;c=d"), ("text/html; x=1 ; charset=u", "u"),
        ("text/html;charset=first;charset=second", "first"), ("text/html;charset=\"\"", ""),
    ])
    func `§5.6.6 parameters, quoted or not`(text: String, charset: String) throws {
        #expect(try #require(MediaType(text))["charset"] == charset)
    }

    @Test(arguments: [
        "", " ", "text", "text/", "/html", "text/html/x", "text /html", "text/ html", "text/html, text/plain",
        "text/html;charset", "text/html;charset=", "text/html;charset =x", "text/html;charset= x", "text/html x",
        "text/html;charset=\"x", "text/html;charset=\"x\\", "text/html;charset=\"\u{1}\"", "text/ht\u{0}ml", "té/x",
        "text/html;charset=\"x\"y",
    ])
    func `§8.3.1 what is no media type is refused`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `a text of any length is refused above the limit`() {
        let name = String(repeating: "a", count: MediaType.maximumByteCount - 2)
        #expect(MediaType("\(name)/b") != nil)
        #expect(MediaType("\(name)a/b") == nil)
        #expect(MediaType(String(repeating: ";", count: 1_000_000)) == nil)
    }

    @Test(
        arguments: [
            ("application/problem+json", "json"), ("image/svg+xml", "xml"), ("a/b+c+d", "d"), ("a/b", nil),
            ("a/b+", ""),
        ] as [(String, String?)]
    )
    func `a suffix says the format`(text: String, suffix: String?) throws {
        #expect(try #require(MediaType(text)).suffix == suffix)
    }

    @Test func `a description has no parameters`() throws {
        #expect("\(try #require(MediaType("text/html; x=secret")))" == "text/html")
    }
}
