// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation
import TestSupport
import Testing

@testable import TernRequests

@Suite("Targets of redirects")
struct BrowserTargetTests {
    private static let base = URL(string: "https://h.test/a/b?c=d")

    /// Returns the target of a resolved reference, like the client: with the apostrophes of the query encoded.
    private static func resolved(_ location: [UInt8]) throws -> String {
        let url = try URLReference(bytes: location).url(relativeTo: Self.base).absoluteURL
        let target = try Destination(url).target
        let path = target.prefix { $0 != "?" }
        return String(path) + String(target.dropFirst(path.count)).replacing("'", with: "%27")
    }

    private static func target(_ location: String) throws -> String? {
        let bytes = Array(location.utf8)
        return BrowserTarget.target(try self.resolved(bytes), of: bytes)
    }

    @Test(arguments: [
        ("/x[1]|%zz%", "/x[1]|%zz%"), ("x[", "/a/x["), ("https://other.test/x?a[0]=1&b=%5B", "/x?a[0]=1&b=%5B"),
        ("//other.test?q=[", "/?q=["), ("?q=[", "/a/b?q=["), ("/x?\\^`{}|[]%z", "/x?\\^`{}|[]%z"),
        ("  /x[ \t", "/x["), ("/x[#[", "/x["), ("/[%41'?'", "/[%41'?%27"), ("/\u{E9}[", "/%C3%A9["),
        ("/x^`{}\\[", "/x%5E%60%7B%7D%5C["), ("/x\"<>[", "/x%22%3C%3E["), ("/x[?\" <>'", "/x[?%22%20%3C%3E%27"),
        ("//other.test//a[", "//a["), ("https://u:p@other.test:8/x[", "/x["),
    ])
    func `what browsers leave as it is stays so`(location: String, target: String) throws {
        #expect(try Self.target(location) == target)
    }

    @Test(
        arguments: [
            ("../x[?q=[", "/x%5B?q=["), ("./x[", nil), ("/a/%2e%2E/[", nil), ("..", nil), ("/..\\[?[", "/..%5C%5B?["),
        ] as [(String, String?)]
    )
    func `a path with steps stays percent-encoded`(location: String, target: String?) throws {
        #expect(try Self.target(location) == target)
    }

    @Test(arguments: ["/x", "x?a=b", "?", "#[", "https://other.test", "/%5B?'", "/\u{E9}?<", "/\\", "/^"])
    func `where browsers send the same, there is nothing to change`(location: String) throws {
        #expect(try Self.target(location) == nil)
    }

    @Test func `a target that does not come from the Location stays`() {
        #expect(BrowserTarget.target("/other", of: Array("/x[".utf8)) == nil)
        #expect(BrowserTarget.target("/", of: Array("/x[".utf8)) == nil)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `random targets are visible ASCII, and mean what the URL means`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "%", "%2", "%20", "%5c", "a", "/", "?", "#", "[", "]", " ", "'", "\u{E9}", "\u{0}", "..", "|", "\\", "^",
            "\"",
        ]
        let text = "/a" + (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        let resolved = try Self.resolved(Array(text.utf8))
        guard let target = BrowserTarget.target(resolved, of: Array(text.utf8)) else { return }
        #expect(target.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") } && target.hasPrefix("/"))
        let (before, after) = (Array(resolved.utf8), Array(target.utf8))
        #expect(
            PercentEncoding.decode(ContiguousArray(after).span) == PercentEncoding.decode(ContiguousArray(before).span)
        )
    }
}
