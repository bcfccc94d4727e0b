// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import TestSupport
import Testing

@Suite("Modifiers of a request: path and query")
struct RequestURLModifiersTests {
    static let paths: [(base: String, components: [String], url: String)] = [
        ("http://h", ["a"], "http://h/a"),
        ("http://h/", ["a"], "http://h/a"),
        ("http://h/x", ["a", "b"], "http://h/x/a/b"),
        ("http://h/x/", ["a", "b"], "http://h/x/a/b"),
        ("http://h/x//", ["a"], "http://h/x//a"),
        ("http://h?q=1", ["a"], "http://h/a?q=1"),
        ("http://h/x?q=/#f/", ["a"], "http://h/x/a?q=/#f/"),
        ("http://h#f?g", ["a"], "http://h/a#f?g"),
        ("http://h/x", ["a/b"], "http://h/x/a%2Fb"),
        ("http://h/x", ["a../..b"], "http://h/x/a..%2F..b"),
        ("http://h/x", ["a b", "ü", "🐦"], "http://h/x/a%20b/%C3%BC/%F0%9F%90%A6"),
        ("http://h/x", ["a?b#c"], "http://h/x/a%3Fb%23c"),
        ("http://h/x", ["100%", "%2F"], "http://h/x/100%25/%252F"),
        ("http://h/x", ["a;b=c,d&e+f:g@h"], "http://h/x/a%3Bb%3Dc%2Cd%26e%2Bf%3Ag%40h"),
        ("http://h/x", ["\r\n"], "http://h/x/%0D%0A"),
        ("http://h/x", ["\\"], "http://h/x/%5C"),
        ("http://h/x", ["-._~"], "http://h/x/-._~"),
        ("http://h/x", ["..."], "http://h/x/..."),
        ("http://u:p@[::1]:8/x", ["a"], "http://u:p@[::1]:8/x/a"),
    ]

    @Test(arguments: paths)
    func `each component is one component, whatever it holds`(base: String, components: [String], url: String) {
        let request = components.reduce(Request(.get, base)) { $0.pathSegment($1) }
        #expect(request.url.absoluteString == url)
        #expect(request.problem == nil)
    }

    @Test(arguments: [
        ("http://h", [""]), ("http://h/users", ["", "photos"]), ("http://h/users/", ["", "photos"]),
        ("http://h/users", ["7", ""]), ("users", ["", ""]), ("http://h/users?a#b", [""]),
    ])
    func `an empty component is refused, so that no other resource is meant`(base: String, components: [String]) {
        let request = components.reduce(Request(.delete, base)) { $0.pathSegment($1) }
        #expect(request.problem == .emptyComponent)
        #expect(throws: RequestFailure.emptyComponent) { try request.destination() }
        #expect(request.path("photos").query("a", 1).problem == .emptyComponent)
    }

    @Test func `a path may end in a slash`() {
        #expect(Request(.get, "http://h/x").path("/").url.absoluteString == "http://h/x/")
        #expect(Request(.get, "http://h/x").path("").pathSegment(7).url.absoluteString == "http://h/x/7")
    }

    @Test func `segments may be of different types`() {
        let segments: [any LosslessStringConvertible] = ["users", 42, Substring("x"), -1.5, true, Character("c")]
        let request = segments.reduce(Request(.get, "http://h")) { $0.pathSegment($1) }
        #expect(request.url.absoluteString == "http://h/users/42/x/-1.5/true/c")
    }

    @Test(arguments: [
        ("http://h", "users/7", "http://h/users/7"), ("http://h/", "/users/7", "http://h/users/7"),
        ("http://h/v1", "users/7/", "http://h/v1/users/7/"), ("http://h/v1/", "/a//b", "http://h/v1/a//b"),
        ("http://h/v1?q=1#f", "a b/ü", "http://h/v1/a%20b/%C3%BC?q=1#f"),
        ("http://h", "a?b#c/100%/%2F", "http://h/a%3Fb%23c/100%25/%252F"), ("http://h/x", "", "http://h/x/"),
        ("http://h/x", "//evil.example", "http://h/x/evil.example"), ("http://h", "/\u{301}a", "http://h/%CC%81a"),
    ])
    func `a path keeps its slashes, and nothing else ends a segment`(base: String, path: String, url: String) {
        let request = Request(.get, base).path(path)
        #expect(request.url.absoluteString == url)
        #expect(request.problem == nil)
    }

    @Test(arguments: [".", "..", "../../etc", "a/..", "..\\a", "..;v=1", "/../\u{301}a"])
    func `a step in the tree is refused`(component: String) {
        let request = Request(.get, "http://h/a").path("users").pathSegment(component).path("photos")
        #expect(Request(.get, "http://h/a").path("users/\(component)/photos").problem == .dotSegment)
        #expect(request.problem == .dotSegment)
        #expect(request.url.absoluteString == "http://h/a/users")
        #expect(throws: RequestFailure.dotSegment) { try request.destination() }
        #expect(request.path("b").query("c").problem == .dotSegment)
    }

    @Test func `a component never becomes the host`() {
        for base in ["http://", "http:", "http:/", "http:///"] {
            for request in [
                Request(.get, base).pathSegment("evil.example"), Request(.get, base).path("//evil.example"),
            ] {
                #expect(throws: RequestFailure.self, "\(base)") { try request.destination() }
            }
        }
    }

    static let queries: [(base: String, name: String, value: String, url: String)] = [
        ("http://h", "a", "1", "http://h?a=1"),
        ("http://h/", "a", "1", "http://h/?a=1"),
        ("http://h/?", "a", "1", "http://h/?a=1"),
        ("http://h/?b", "a", "1", "http://h/?b&a=1"),
        ("http://h/?b=2&", "a", "1", "http://h/?b=2&a=1"),
        ("http://h/?b=2#f", "a", "1", "http://h/?b=2&a=1#f"),
        ("http://h/#f?g", "a", "1", "http://h/?a=1#f?g"),
        ("http://h/?a=0", "a", "1", "http://h/?a=0&a=1"),
        ("http://h/", "a", "", "http://h/?a="),
        ("http://h/", "a b", "c d", "http://h/?a%20b=c%20d"),
        ("http://h/", "a", "+&=;", "http://h/?a=%2B%26%3D%3B"),
        ("http://h/", "a&b", "#?/", "http://h/?a%26b=%23%3F%2F"),
        ("http://h/", "a[]", "100%", "http://h/?a%5B%5D=100%25"),
        ("http://h/", "ü", "🐦", "http://h/?%C3%BC=%F0%9F%90%A6"),
        ("http://h/", "a", "\r\n", "http://h/?a=%0D%0A"),
    ]

    @Test(arguments: queries)
    func `an item arrives as it is, whichever rules the server follows`(
        base: String,
        name: String,
        value: String,
        url: String
    ) {
        let request = Request(.get, base).query(name, value)
        #expect(request.url.absoluteString == url)
        #expect(request.problem == nil)
    }

    @Test func `a value may be of any type that has a text`() {
        let request = Request(.get, "http://h").query("a", 1).query("b", true).query("c", 0.5).query(
            "d",
            Substring("e")
        )
        #expect(request.url.absoluteString == "http://h?a=1&b=true&c=0.5&d=e")
    }

    @Test func `a list gives an item for each of its values, under the name as it is`() {
        let tags: [String] = ["a", "b&c"]
        #expect(Request(.get, "http://h").query("tags", tags).url.absoluteString == "http://h?tags=a&tags=b%26c")
        #expect(Request(.get, "http://h").query("n[]", [1, 2]).url.absoluteString == "http://h?n%5B%5D=1&n%5B%5D=2")
        #expect(Request(.get, "http://h/").query("none", [String]()).url.absoluteString == "http://h/")
    }

    @Test func `a value that is nil appends nothing`() {
        let (none, some): (Int?, Int?) = (nil, 3)
        let request = Request(.get, "http://h").query("a", none).query("b", some)
        #expect(request.url.absoluteString == "http://h?b=3")
    }

    @Test func `a name may stand alone`() {
        #expect(Request(.get, "http://h").query("a b").query("c").url.absoluteString == "http://h?a%20b&c")
    }

    @Test func `what is no URL stays none`() {
        #expect(Request(.get, "").path("a").query("b", 1).problem == .emptyURL)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `random components stay within the path, and random items within the query`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab/?#%&=+;:@[]\\_ \r\nü".unicodeScalars)  // no dots, which may be refused
        func text() -> String {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<8 { scalars.append(alphabet[Int.random(in: alphabet.indices, using: &generator)]) }
            return String(scalars)
        }
        let request = Request(.get, "http://h/x").pathSegment(text()).pathSegment(text()).query(text(), text())
        let destination = try request.destination()
        #expect(destination.origin.description == "http://h:80")
        #expect(destination.path.utf8.count { $0 == UInt8(ascii: "/") } == 3)
        #expect(destination.path.hasPrefix("/x/"))
        let query = destination.target.dropFirst(destination.path.count + 1)
        #expect(query.utf8.count { $0 == UInt8(ascii: "=") } == 1)
        #expect(!query.contains { "&;+#/?".contains($0) })
    }
}
