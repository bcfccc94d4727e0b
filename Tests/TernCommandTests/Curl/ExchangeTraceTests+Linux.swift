// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import HTTPTypes
import Tern
import TernConnections
import TernTransport
import TestSupport
import Testing

@testable import TernCommand

@Suite("What -v shows", .hangLimit)
struct ExchangeTraceTests {
    static let fields: [(name: String, value: String, shown: String)] = [
        ("Authorization", "Basic s3cret", "Authorization: Basic ***"),
        ("Authorization", "s3cret", "Authorization: ***"),
        ("Cookie", "a=s3cret; b=s3cret", "Cookie: a=***; b=***"), ("Cookie", "s3cret", "Cookie: ***"),
        ("Set-Cookie", "a=s3cret; Path=/; HttpOnly", "Set-Cookie: a=***; Path=/; HttpOnly"),
        ("X-Passphrase", "s3cret", "X-Passphrase: ***"), ("X-User-Pin", "s3cret", "X-User-Pin: ***"),
        ("X-Api-Key", "s3cret", "X-Api-Key: ***"), ("Location", "/a?token=s3cret&b=c", "Location: /a?token=***&b=c"),
        ("Referer", "http://u:s3cret@a/", "Referer: http://***@a/"), ("X-Dog", "Biscuit", "X-Dog: Biscuit"),
        ("X-Dog", "", "X-Dog:"),
        ("WWW-Authenticate", "Basic realm=\"dogs\"", "WWW-Authenticate: Basic realm=\"dogs\""),
    ]

    @Test(arguments: fields)
    func `a field is shown without what is secret in it`(name: String, value: String, shown: String) {
        #expect(MaskedField.line(name, value) == shown)
    }

    @Test func `a field that a request calls secret is not shown`() {
        #expect(MaskedField.line("X-Dog", "s3cret", isHidden: true) == "X-Dog: ***")
    }

    @Test func `a WebSocket is shown as it is asked for in each version of HTTP`() throws {
        var request = Request(.get, "https://127.0.0.1/dogs")
        request.fields[.upgrade] = "websocket"
        request.fields[.connection] = "Upgrade"
        for name in ["Keep-Alive", "Proxy-Connection", "HTTP2-Settings"] {
            request.fields[try #require(HTTPField.Name(name))] = "1"
        }
        request.fields[.secWebSocketKey] = "s3cret"
        request.fields[.secWebSocketVersion] = "13"
        let call = HTTPCall(request, to: try request.destination(), timeouts: Timeouts(), clock: SystemClock())
        let specific = [
            "Upgrade: websocket", "Connection: Upgrade", "Keep-Alive: 1", "Proxy-Connection: 1", "HTTP2-Settings: 1",
        ]
        let shown = RequestText.head(of: call, version: .http11).split(separator: "\n").map(String.init)
        let handshake = ["Sec-WebSocket-Key: ***", "Sec-WebSocket-Version: 13"]
        #expect(shown == ["GET /dogs HTTP/1.1", "Host: 127.0.0.1"] + specific + handshake)
        let http2 = ["CONNECT /dogs HTTP/2", ":protocol: websocket", "Host: 127.0.0.1", "Sec-WebSocket-Version: 13"]
        #expect(RequestText.head(of: call, version: .http2).split(separator: "\n").map(String.init) == http2)
    }

    @Test(arguments: [(HTTPVersion.http11, true), (.http2, false)])
    func `a body of unknown length is sent in chunks over HTTP/1.1 only`(version: HTTPVersion, chunked: Bool) throws {
        let body = RequestBody.stream(AsyncStream<Data> { $0.finish() })
        var request = Request(.post, "https://127.0.0.1/dogs")
        request.body = body
        let call = HTTPCall(request, to: try request.destination(), timeouts: Timeouts(), clock: SystemClock())
        #expect(RequestText.head(of: call, version: version).contains("Transfer-Encoding: chunked") == chunked)
    }

    @Test func `each exchange is shown in the order in which it happens`() async throws {
        let folder = try TemporaryFolder()
        let server = try RecordingServer { _, index in
            index == 0
                ? .init(status: "302 Found", fields: ["Location: /b?token=s3cret", "Set-Cookie: a=s3cret"], body: "")
                : .init(fields: ["X-Dog: Bis\u{9B}cuit"])
        }
        let result = try await RunningProgram.ternCLI(
            "-vs",
            "-u",
            "anna:s3cret",
            "-d",
            "s3cret",
            "http://127.0.0.1:\(server.port)/a?key=s3cret",
            in: folder
        )
        #expect(result.output == "hello\n" && result.exitCode == 0)
        let lines = result.errors.split(separator: "\n").map(String.init)
        let wanted = [
            "* connected to 127.0.0.1:\(server.port)", "> POST /a?key=*** HTTP/1.1", "> Host: 127.0.0.1:\(server.port)",
            "> Authorization: Basic ***", "> Content-Type: application/x-www-form-urlencoded", "> Content-Length: 6",
            "> ",
            "< HTTP/1.1 302 Found", "< Location: /b?token=***", "< Set-Cookie: a=***",
            "* following the redirect to http://127.0.0.1:\(server.port)/b?token=***", "> GET /b?token=*** HTTP/1.1",
            "< HTTP/1.1 200 OK", "< X-Dog: Bis\u{FFFD}cuit", "< ",
        ]
        var rest = lines[...]
        for line in wanted {
            let place = try #require(rest.firstIndex(of: line), "\(line) in \(result.errors)")
            rest = rest[(place + 1)...]
        }
        #expect(!result.errors.contains("s3cret"))
    }

    @Test func `the heads of redirects are printed, too`() async throws {
        let folder = try TemporaryFolder()
        let server = try RecordingServer { _, index in
            index == 0 ? .init(status: "302 Found", fields: ["Location: /b"], body: "") : .init()
        }
        let result = try await RunningProgram.ternCLI(
            "-si",
            "-D",
            "heads",
            "http://127.0.0.1:\(server.port)/a",
            in: folder
        )
        let heads = "HTTP/1.1 302 Found\nLocation: /b\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Length: 6\n\n"
        #expect(result.output == heads + "hello\n")
        #expect(try folder.text(of: "heads") == heads)
    }
}
#endif
