// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TestSupport
import Testing

@testable import TernRequests

@Suite("References to URLs (RFC 3986 §4.1)")
struct URLReferenceTests {
    @Test func `bytes that are not UTF-8 are encoded as they are`() throws {
        let reference = try URLReference(bytes: Array("/caf".utf8) + [0xE9])
        #expect(reference.text == "/caf%E9")
        let mixed = try URLReference(bytes: Array("/%20".utf8) + [0xFF, 0xC3, 0xA9] + Array("?a=".utf8) + [0x80])
        #expect(mixed.text == "/%20%FF%C3%A9?a=%80")
    }

    @Test func `a host that is not UTF-8 is refused`() {
        #expect(throws: RequestFailure.malformedHost) { try URLReference(bytes: Array("//caf".utf8) + [0xE9]) }
        #expect(throws: RequestFailure.malformedHost) { try URLReference("//h:\u{427}20/") }
    }

    @Test func `a host is never encoded`() throws {
        #expect(try URLReference("http://m\u{FC}nchen.example/\u{FC}").text == "http://m\u{FC}nchen.example/%C3%BC")
        #expect(try URLReference("//ho%5Cst/").text == "//ho%5Cst/")
    }

    @Test(arguments: [
        ("http://h/a", "http://h/a"), ("a%20b", "a%20b"), ("?", "?"), ("#", "#"), ("a?#", "a?#"), ("//", "//"),
        ("http://u:p@h:80/a;b=c,d?e&f#g", "http://u:p@h:80/a;b=c,d?e&f#g"), ("mailto:a@b", "mailto:a@b"),
        ("a b:c", "a%20b:c"), ("1[:b", "1%5B:b"), ("x-y+z.1:[", "x-y+z.1:%5B"), ("/a//b", "/a//b"),
        ("///x[", "///x%5B"),
    ])
    func `each part has its own characters`(text: String, expected: String) throws {
        #expect(try URLReference(text).text == expected)
        #expect(try URLReference(bytes: Array(text.utf8)).text == expected)
    }

    @Test(arguments: [
        "127.0.0.1:24000/hello", "127.0.0.1:80", "127.0.0.1:80?a", "127.0.0.1:80#a", "[::1]:80/x", "[::1]", "1:2",
        "_a:8080/x",
    ])
    func `a text that begins with a host and a port has no scheme`(text: String) throws {
        let reference = try URLReference(text)
        let base = URL(string: "http://h/")
        #expect(throws: RequestFailure.missingScheme) { try reference.url() }
        #expect(throws: RequestFailure.missingScheme) { try reference.url(relativeTo: base) }
        #expect(Request(.get, text).problem == .missingScheme)
        #expect("\(RequestFailure.missingScheme)".contains("no scheme; begin it with https://"))
    }

    @Test(arguments: ["1http://a", "ht tp://a/", "1:x/", "1:80x"])
    func `any other colon before the path is not a host's`(text: String) throws {
        let reference = try URLReference(text)
        #expect(throws: RequestFailure.malformedURL) { try reference.url() }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random texts are encoded once, and mean what they meant`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "%", "%2", "%20", "%5c", "2", "5", "a", "/", "?", "#", "[", " ", ":", "@", "\u{E9}", "\u{0}", "x//y",
        ]
        let text = "/" + (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "."
        guard let reference = try? URLReference(text) else {
            #expect(text.hasPrefix("//"))  // a host
            return
        }
        #expect(try URLReference(reference.text) == reference)
        let (before, after) = (Array(text.utf8), Array(reference.text.utf8))
        #expect(
            PercentEncoding.decode(ContiguousArray(after).span) == PercentEncoding.decode(ContiguousArray(before).span)
        )
        guard !text.hasPrefix("//") else { return }
        #expect(try reference.url().relativeString == reference.text)
    }
}
