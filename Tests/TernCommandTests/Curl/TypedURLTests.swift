// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("URLs without a scheme")
struct TypedURLTests {
    static let urls: [(typed: String, text: String)] = [
        ("example.com", "https://example.com"),
        ("example.com:8080/a?b=http://c", "https://example.com:8080/a?b=http://c"),
        ("//example.com/a", "https://example.com/a"), ("localhost", "http://localhost"),
        ("LocalHost:8080/a", "http://LocalHost:8080/a"), ("a.localhost/x", "http://a.localhost/x"),
        ("127.0.0.1:80", "http://127.0.0.1:80"), ("127.1.2.3", "http://127.1.2.3"),
        ("[::1]:8080/a", "http://[::1]:8080/a"),
        ("anna:w@localhost/a", "http://anna:w@localhost/a"), ("127.evil.example", "https://127.evil.example"),
        ("127.0.0.1.evil.example", "https://127.0.0.1.evil.example"),
        ("localhost.evil.example", "https://localhost.evil.example"),
        ("localhost@evil.example", "https://localhost@evil.example"), ("128.0.0.1", "https://128.0.0.1"),
        ("dog", "https://dog"),
    ]

    @Test(arguments: urls)
    func `https is taken, and http on loopback`(typed: String, text: String) {
        let url = TypedURL(typed)
        #expect(url.text == text && url.isCompleted)
        #expect(url.note?.contains("no scheme") == true)
    }

    @Test(arguments: ["http://a", "HTTPS://a", "ftp://a/b", "http:/a", "wss://a", ""])
    func `a scheme that was typed stays`(typed: String) {
        #expect(TypedURL(typed).text == typed && TypedURL(typed).note == nil)
    }

    @Test func `a WebSocket has schemes of its own`() {
        #expect(TypedURL("example.com/a", isWebSocket: true).text == "wss://example.com/a")
        #expect(TypedURL("localhost/a", isWebSocket: true).text == "ws://localhost/a")
    }

    @Test func `the note shows no secret`() {
        #expect(TypedURL("anna:s3cret@a/?t=s3cret").note?.contains("s3cret") == false)
    }

    @Test func `a URL with a scheme tells whether it is on loopback`() {
        #expect(TypedURL.isLoopback(url: "http://localhost:1/") && TypedURL.isLoopback(url: "http://u:p@[::1]/"))
        #expect(!TypedURL.isLoopback(url: "http://localhost.a/") && !TypedURL.isLoopback(url: "localhost"))
    }
}
