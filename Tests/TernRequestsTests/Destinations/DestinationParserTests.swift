// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TestSupport
import Testing

@testable import TernRequests

@Suite("RFC 3986: what a URL means to HTTP/1.1")
struct DestinationParserTests {
    typealias Parts = (text: String, origin: String, target: String, hostField: String)

    static let accepted: [Parts] = [
        ("http://a", "http://a:80", "/", "a"),
        ("http://a/", "http://a:80", "/", "a"),
        ("https://a/", "https://a:443", "/", "a"),
        ("hTTpS://A.B/C", "https://a.b:443", "/C", "a.b"),
        ("http://a?b", "http://a:80", "/?b", "a"),
        ("http://a#b", "http://a:80", "/", "a"),
        ("http://a?b#c?d", "http://a:80", "/?b", "a"),
        ("http://a/b#c", "http://a:80", "/b", "a"),
        ("http://a/?", "http://a:80", "/?", "a"),
        ("http://a//b//", "http://a:80", "//b//", "a"),
        ("http://a/b/../c", "http://a:80", "/b/../c", "a"),
        ("http://a/b?c=d&e=%20", "http://a:80", "/b?c=d&e=%20", "a"),
        ("http://a:80/", "http://a:80", "/", "a"),
        ("https://a:443/", "https://a:443", "/", "a"),
        ("http://a:443/", "http://a:443", "/", "a:443"),
        ("https://a:80/", "https://a:80", "/", "a:80"),
        ("http://a:8080", "http://a:8080", "/", "a:8080"),
        ("http://a:1/", "http://a:1", "/", "a:1"),
        ("http://a:65535/", "http://a:65535", "/", "a:65535"),
        ("http://a:00080/", "http://a:80", "/", "a"),
        ("http://a:", "http://a:80", "/", "a"),
        ("https://a:/b", "https://a:443", "/b", "a"),
        ("http://a:?b", "http://a:80", "/?b", "a"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", "/", "127.0.0.1:8080"),
        ("http://[::1]/", "http://[::1]:80", "/", "[::1]"),
        ("https://[2001:DB8::A]:8443/", "https://[2001:db8::a]:8443", "/", "[2001:db8::a]:8443"),
        ("http://[::1]:/", "http://[::1]:80", "/", "[::1]"),
        ("http://user@a/", "http://a:80", "/", "a"),
        ("http://user:word@a:81/b", "http://a:81", "/b", "a:81"),
        ("http://a/@b", "http://a:80", "/@b", "a"),
        ("http://a?@b:c", "http://a:80", "/?@b:c", "a"),
    ]

    @Test(arguments: accepted)
    func `a URL is read into origin, target and Host`(parts: Parts) throws {
        let destination = try Destination(text: parts.text)
        #expect(destination.origin.description == parts.origin)
        #expect(destination.target == parts.target)
        #expect(destination.hostField == parts.hostField)
    }

    static let refused: [(text: String, problem: RequestFailure)] = [
        ("", .relativeURL), ("a", .relativeURL), ("http", .relativeURL), ("https", .relativeURL),
        ("/a/b", .relativeURL), ("//a/b", .missingScheme), (":", .relativeURL), ("1http://a", .relativeURL),
        ("http//a", .relativeURL), (" http://a", .relativeURL), ("?http://a", .relativeURL),
        ("ftp://a", .unsupportedScheme("ftp")), ("ws://a", .unsupportedScheme("ws")),
        ("WSS://a", .unsupportedScheme("wss")), ("httpx://a", .unsupportedScheme("")),
        ("httpsx://a", .unsupportedScheme("")), ("htt://a", .unsupportedScheme("")),
        ("javascript:alert(1)", .unsupportedScheme("javascript")), ("h2c+x-1.0:", .unsupportedScheme("")),
        ("http:", .missingHost), ("http:/", .missingHost), ("http://", .missingHost), ("https://", .missingHost),
        ("http:a", .missingHost), ("http:/a/b", .missingHost), ("http:///a", .missingHost),
        ("http://?a", .missingHost), ("http://#a", .missingHost), ("http://:80/", .missingHost),
        ("http://user@/", .missingHost), ("http://user@:80/", .missingHost), ("http://@/", .missingHost),
        ("http://a:0/", .malformedPort), ("http://a:000/", .malformedPort), ("http://a:65536/", .malformedPort),
        ("http://a:99999999999999999999999/", .malformedPort), ("http://a:b/", .malformedPort),
        ("http://a:8b/", .malformedPort), ("http://a:-1/", .malformedPort), ("http://a:+1/", .malformedPort),
        ("http://a: 80/", .malformedPort), ("http://a:80:80/", .malformedPort), ("http://[::1]:x/", .malformedPort),
        ("http://a/b c", .malformedTarget), ("http://a/\t", .malformedTarget), ("http://a/\r\nX: y", .malformedTarget),
        ("http://a/\0", .malformedTarget), ("http://a/\u{7F}", .malformedTarget), ("http://a/é", .malformedTarget),
        ("http://a?b c", .malformedTarget), ("http://a/ #b", .malformedTarget),
        ("http://a@b@c/", .malformedHost), ("http://a@b:80@c/", .malformedPort),
        // Some parsers read a backslash as a slash, so they would take the text before it as the host.
        ("http://good.example\\@evil.example/", .malformedHost), ("http://u:p\\@a/", .malformedHost),
        ("http://\\u@a/", .malformedHost), ("http://u@a\\b/", .malformedHost), ("http://a\\/", .malformedHost),
    ]

    @Test(arguments: refused)
    func `what is not one is refused, for a reason`(text: String, problem: RequestFailure) {
        #expect(throws: problem) { try Destination(text: text) }
    }

    @Test func `the problems of a fragment are no problems`() throws {
        #expect(try Destination(text: "http://a/b#c d é").target == "/b")
    }

    static let users: [(text: String, user: String, password: String?)] = [
        ("http://user@a/", "user", nil), ("http://user:@a/", "user", ""), ("http://user:word@a/", "user", "word"),
        ("http://:word@a/", "", "word"), ("http://@a/", "", nil), ("http://u:a:b@a/", "u", "a:b"),
        ("http://u%40x:p%3A%2F@a/", "u@x", "p:/"), ("http://%C3%BC:%zz@a/", "ü", "%zz"),
    ]

    @Test(arguments: users)
    func `user and password are kept apart from the host, and decoded`(
        text: String,
        user: String,
        password: String?
    ) throws {
        let destination = try Destination(text: text)
        #expect(destination.userInfo == .init(user: user, password: password))
        #expect(destination.origin.host == "a")
        #expect(destination.hostField == "a")
    }

    @Test(arguments: ["http://a/", "http://a/b@c", "http://a?b@c", "http://a#b@c"])
    func `without an at sign in the authority there is no user`(text: String) throws {
        #expect(try Destination(text: text).userInfo == nil)
    }

    @Test func `every byte but visible ASCII is refused in a target`() {
        for byte in UInt8.min...UInt8.max {
            let text = "http://a/x\(Unicode.Scalar(byte))y"
            let isAccepted = (try? Destination(text: text)) != nil
            #expect(isAccepted == (0x21...0x7E).contains(byte), "byte \(byte)")
        }
    }

    @Test func `no cut of a URL traps, and only those from its beginning are read`() throws {
        let text = "https://user:p%40ss@[2001:db8::1.2.3.4]:8443/a/b?c=d#e"
        let ends = text.indices.dropFirst() + [text.endIndex]
        var readCount = 0
        for start in text.indices {
            for end in ends where end > start {
                guard let destination = try? Destination(text: String(text[start..<end])) else { continue }
                #expect(start == text.startIndex, "\(text[start..<end])")
                #expect(destination.origin.scheme == .https)
                readCount += 1
            }
        }
        // After the bracket of the host, every longer beginning can be parsed, except one that ends in the port's
        // colon.
        #expect(readCount > "/a/b?c=d#e".count)
        #expect(try Destination(text: text).origin.port == 8443)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `random text is read or refused, and what is read is read again alike`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab0.:/?#@[]%\\ -é".unicodeScalars)
        for _ in 0..<200 {
            var text = Bool.random(using: &generator) ? "http://" : "https://"
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                text.unicodeScalars.append(alphabet[Int.random(in: alphabet.indices, using: &generator)])
            }
            guard let destination = try? Destination(text: text) else { continue }
            let scheme = destination.origin.scheme.rawValue
            let again = try Destination(text: "\(scheme)://\(destination.hostField)\(destination.target)")
            #expect(again.origin == destination.origin, "\(text)")
            #expect(again.target == destination.target, "\(text)")
            #expect(again.hostField == destination.hostField, "\(text)")
        }
    }
}
