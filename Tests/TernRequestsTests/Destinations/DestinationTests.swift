// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation
import Testing

@testable import TernRequests

@Suite("Destinations, from a URL")
struct DestinationTests {
    /// Texts that `URL` accepts after it has percent-encoded invalid characters, and their destinations.
    static let urls: [(text: String, origin: String, target: String)] = [
        ("http://example.com", "http://example.com:80", "/"),
        ("HTTPS://Example.COM/A?B", "https://example.com:443", "/A?B"),
        ("http://example.com/a b?c d#e f", "http://example.com:80", "/a%20b?c%20d"),
        ("http://example.com/ü?ö", "http://example.com:80", "/%C3%BC?%C3%B6"),
        ("http://example.com/\r\n", "http://example.com:80", "/%0D%0A"),
        ("http://example.com/\"<>^`{|}", "http://example.com:80", "/%22%3C%3E%5E%60%7B%7C%7D"),
        ("http://[::1]:8080/x", "http://[::1]:8080", "/x"),
        ("http://example.com:/x", "http://example.com:80", "/x"),
    ]

    @Test(arguments: urls)
    func `a URL has an origin and a target`(text: String, origin: String, target: String) throws {
        let destination = try Destination(try #require(URL(string: text)))
        #expect(destination.origin.description == origin)
        #expect(destination.target == target)
    }

    static let refused: [(text: String, problem: RequestFailure)] = [
        ("http://exa mple.com/", .malformedHost),
        ("http://münchen.example/", .malformedHost),
        ("http://a\\b/", .malformedHost),
        ("http://[::1%25eth0]/", .malformedHost),
        ("http://example.com:99999/", .malformedPort),
        ("/path", .relativeURL),
        ("//example.com/path", .missingScheme),
        ("no url", .relativeURL),
        ("http:path", .missingHost),
        ("http:///path", .missingHost),
        ("mailto:a@example.com", .unsupportedScheme("mailto")),
        ("file:///etc/passwd", .unsupportedScheme("file")),
        ("wss://example.com", .unsupportedScheme("wss")),
    ]

    @Test(arguments: refused)
    func `a URL that cannot be asked over HTTP is refused`(text: String, problem: RequestFailure) throws {
        // The test does not apply if Foundation itself refuses the text, or converts the host to ASCII.
        guard let url = URL(string: text), !url.absoluteString.contains("xn--") else { return }
        #expect(throws: problem) { try Destination(url) }
    }

    @Test func `a relative URL is read against its base`() throws {
        let base = try #require(URL(string: "https://example.com/a/b"))
        let url = try #require(URL(string: "c?d", relativeTo: base))
        let destination = try Destination(url)
        #expect(destination.origin.description == "https://example.com:443")
        #expect(destination.target == "/a/c?d")
    }

    @Test func `a description has neither query nor password`() throws {
        let destination = try Destination(text: "https://user:word@example.com/a/b?token=t")
        #expect("\(destination)" == "https://example.com:443/a/b")
        #expect(String(reflecting: destination) == "https://example.com:443/a/b")
        #expect("\(try #require(destination.userInfo))" == "***")
        #expect(String(reflecting: [destination.userInfo]).contains("word") == false)
    }

    @Test(arguments: [("http://a/b/c?d?e", "/b/c"), ("http://a?b", "/"), ("http://a", "/"), ("http://a/b", "/b")])
    func `the path is the target without its query`(text: String, path: String) throws {
        #expect(try Destination(text: text).path == path)
    }

    @Test func `what means the same is equal`() throws {
        let one = try Destination(text: "HTTP://Example.com:80/a#b")
        let other = try Destination(text: "http://example.com/a")
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }
}
