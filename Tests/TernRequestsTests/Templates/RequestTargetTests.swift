// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import TestSupport
import Testing

@Suite("Values in a path and a query")
struct RequestTargetTests {
    private static let base = "http://h/api"

    /// Values that try to act as another part of the URL.
    static let hostile: [(value: String, encoded: String)] = [
        ("/..a/", "%2F..a%2F"), ("a../etc", "a..%2Fetc"), ("?", "%3F"), ("#", "%23"), ("&", "%26"),
        ("a=b", "a%3Db"),
        ("\"", "%22"), ("\r\n", "%0D%0A"), ("\u{2028}", "%E2%80%A8"), ("%2e", "%252e"), ("%2e%2e", "%252e%252e"),
        ("\u{0}", "%00"), ("a b", "a%20b"), ("+", "%2B"), (";", "%3B"), ("\\", "%5C"),
        ("//evil.example", "%2F%2Fevil.example"),
        ("@evil.example", "%40evil.example"), (":80", "%3A80"), ("{{x}}", "%7B%7Bx%7D%7D"), ("ü", "%C3%BC"),
        ("...", "..."),
    ]

    @Test(arguments: hostile)
    func `a value stays in its component`(value: String, encoded: String) {
        let request = Request(.get, Self.base).target("/a/\(value)/b")
        #expect(request.problem == nil)
        #expect(request.url.absoluteString == "http://h/api/a/\(encoded)/b")
    }

    @Test(arguments: hostile)
    func `a value stays in its item`(value: String, encoded: String) {
        let request = Request(.get, Self.base).target("/a?x=\(value)&\(value)=1")
        #expect(request.problem == nil)
        #expect(request.url.absoluteString == "http://h/api/a?x=\(encoded)&\(encoded)=1")
    }

    @Test(arguments: [".", "..", "../../etc", "/../", "a/..", "..\\a", "a/..;v=1"])
    func `a step in the tree is refused`(value: String) {
        #expect(Request(.get, Self.base).target("/a/\(value)").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/\(value)/a").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("\(value)").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/a?x=\(value)").problem == nil)
    }

    @Test func `a step in the tree that is put together of parts is refused`() {
        let (dot, nothing) = (".", "")
        #expect(Request(.get, Self.base).target("/\(dot)\(dot)/a").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/.\(dot)").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/%2e\(dot)").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/.\(nothing).").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/a/%2E%2e/b").problem == .dotSegment)
        #expect(Request(.get, Self.base).target("/\(dot)\(dot);v=1/a").problem == .dotSegment)
    }

    @Test func `a component that a value leaves empty is refused`() {
        let (nothing, something) = ("", "x")
        #expect(Request(.delete, Self.base).target("/photos/\(nothing)").problem == .emptyComponent)
        #expect(Request(.delete, Self.base).target("/photos/\(nothing)/all").problem == .emptyComponent)
        #expect(Request(.delete, Self.base).target("/photos/\(nothing)?a").problem == .emptyComponent)
        #expect(Request(.delete, Self.base).target("/\(nothing)\(something)").problem == nil)
        #expect(Request(.delete, Self.base).target("/\(something)\(nothing)").problem == nil)
        #expect(Request(.delete, Self.base).target("/photos-\(nothing)").problem == nil)
        #expect(Request(.delete, Self.base).target("/photos/").problem == nil)
        #expect(Request(.delete, Self.base).target("/photos?x=\(nothing)").url.absoluteString.hasSuffix("?x="))
    }

    @Test func `an item without a value is left out`() {
        let (none, some): (Int?, Int?) = (nil, 3)
        #expect(Request(.get, Self.base).target("?a=\(none)&b=\(some)").url.absoluteString == "http://h/api?b=3")
        #expect(Request(.get, Self.base).target("?a=1&b=\(none)").url.absoluteString == "http://h/api?a=1")
        #expect(Request(.get, Self.base).target("/x?a=\(none)").url.absoluteString == "http://h/api/x")
        #expect(Request(.get, Self.base).target("/\(none)").problem == .emptyComponent)
    }

    @Test func `what is literal is sent as it is`() {
        let request = Request(.get, Self.base).target("/v1/docs:list/@me;a=b,c/%2Fx/größe?filter=a:b,c/d?&e+f")
        let encoded = "http://h/api/v1/docs:list/@me;a=b,c/%2Fx/gr%C3%B6%C3%9Fe?filter=a:b,c/d?&e+f"
        #expect(request.url.absoluteString == encoded)
    }

    @Test(arguments: ["/a b", "/a#b", "/a%2", "/a%zz", "/a%", "/a\"b", "/a<b", "/a\\b", "/a\r\nb", "/{a}"])
    func `literal text that is none of a URL is refused`(text: String) {
        let target = RequestTarget(stringLiteral: text)
        #expect(Request(.get, Self.base).target(target).problem == .malformedTarget)
    }

    @Test func `a percent sign does not take a value for its digits`() {
        let digits = "2F"
        #expect(Request(.get, Self.base).target("/a%\(digits)").problem == .malformedTarget)
    }

    static let joints: [(base: String, target: RequestTarget, url: String)] = [
        ("http://h", "/a", "http://h/a"), ("http://h/", "/a", "http://h/a"), ("http://h/x/", "a", "http://h/x/a"),
        ("http://h/x", "", "http://h/x"), ("http://h", "?a", "http://h?a"), ("http://h/?a", "/b?c", "http://h/b?a&c"),
        ("http://h/x?a&", "?b", "http://h/x?a&b"), ("http://h/x#f", "/y?z", "http://h/x/y?z#f"),
        ("http://h", "//evil.example/", "http://h//evil.example/"),
    ]

    @Test(arguments: joints)
    func `the target comes behind the path and the query of the URL`(base: String, target: RequestTarget, url: String) {
        #expect(Request(.get, base).target(target).url.absoluteString == url)
    }

    @Test func `a target never becomes the host`() {
        for base in ["http://", "http:", "http:/", "http:///"] {
            #expect(throws: RequestFailure.self, "\(base)") {
                try Request(.get, base).target("/evil.example").destination()
            }
        }
    }

    @Test func `the query is not shown`() {
        let token = "secret"
        let target: RequestTarget = "/a?token=\(token)"
        #expect("\(target)" == "/a")
        #expect(!String(reflecting: target).contains(token))
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `random values stay where they are`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab/?#%&=+;:@[]\\_ \r\nü".unicodeScalars)  // no dots, which may be refused
        func text() -> String {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<8 { scalars.append(alphabet[Int.random(in: alphabet.indices, using: &generator)]) }
            return String(scalars)
        }
        let target: RequestTarget = "/\(text())/\(text())?\(text())=\(text())"
        let destination = try Request(.get, "http://h/x").target(target).destination()
        #expect(destination.origin.description == "http://h:80")
        #expect(destination.path.utf8.count { $0 == UInt8(ascii: "/") } == 3)
        let query = destination.target.dropFirst(destination.path.count + 1)
        #expect(query.utf8.count { $0 == UInt8(ascii: "=") } == 1)
        #expect(!query.contains { "&;+#/?".contains($0) })
    }
}
