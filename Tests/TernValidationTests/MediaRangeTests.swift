// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernValidation
import Testing

@Suite("MediaRange")
struct MediaRangeTests {
    @Test(arguments: [
        ("*/*", "text/html", true), ("text/*", "text/html", true), ("text/*", "image/png", false),
        ("text/html", "Text/HTML; charset=utf-8", true), ("text/html", "text/plain", false),
        ("application/json", "application/problem+json", false),
        ("application/*+json", "application/problem+json", true),
        ("application/*+json", "application/json", false), ("application/*+json", "application/problem+xml", false),
        ("application/*+json", "application/problem+jsonx", false), ("application/*+json", "text/problem+json", false),
        ("text/html;charset=utf-8", "text/html; charset=UTF-8", true),
        ("text/html;charset=utf-8", "text/html; charset=latin1", false),
        ("text/html;charset=utf-8", "text/html", false), ("a/b;v=X", "a/b;v=x", false),
        ("a/b;v=x", "a/b;w=1;v=x", true),
    ])
    func `§12.5.1 contains what it names`(range: String, type: String, isWithin: Bool) throws {
        #expect(try #require(MediaRange(range)).contains(try #require(MediaType(type))) == isWithin)
    }

    @Test(arguments: ["", "*", "text", "*/html", "te*t/html", "text/h*", "text/*x", "a/b, c/d", "**/*", "a/**"])
    func `what is no range contains nothing`(text: String) throws {
        #expect(MediaRange(text) == nil)
        let type = try #require(MediaType("text/html"))
        #expect(!MediaRange(stringLiteral: text).contains(type))
    }

    @Test(arguments: [
        ("text/html", ["text/html"]), ("text/html, text/*;q=0.8 ,*/*;q=0.1", ["text/html", "text/*", "*/*"]),
        ("text/html;q=0, a/b;q=0.000, c/d;q=0.001", ["c/d"]), (",, a/b ,,", ["a/b"]), ("", []),
        ("a/b;x=\"1,2\";q=0.5, c/d", ["a/b;x=\"1,2\"", "c/d"]),
    ])
    func `§12.5.1 a list of ranges is read`(accept: String, expected: [String]) throws {
        #expect(MediaRange.ranges(accept: accept) == expected.compactMap { MediaRange($0) })
    }

    @Test(arguments: ["text", "a/b c/d", "a/b;q", "*/b", "a/b,\u{0}", String(repeating: "a", count: 100_000)])
    func `§12.5.1 what is no list is nothing`(accept: String) {
        #expect(MediaRange.ranges(accept: accept) == nil)
    }

    @Test func `a list is not longer than the limit`() {
        let list = { Array(repeating: "a/b", count: $0).joined(separator: ",") }
        #expect(MediaRange.ranges(accept: list(MediaRange.maximumCount))?.count == MediaRange.maximumCount)
        #expect(MediaRange.ranges(accept: list(MediaRange.maximumCount + 1)) == nil)
    }
}
