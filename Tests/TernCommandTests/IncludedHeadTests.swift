// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TernHTTP1
import TernTesting
import TestSupport
import Testing

@testable import TernCommand

/// Tests the output of `--include` for fields that a server chose.
@Suite("A head that is printed", .hangLimit)
struct IncludedHeadTests {
    private static let text = "HTTP/1.1 200 OK\u{202E}KO\r\nX-Dog: a\u{9B}2Jb\tc\u{2066}d\r\nX-Cat: é 犬\r\n"

    private static func head() throws -> String {
        let lines = Self.text.split(separator: "\r\n")
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ").map(String.init)
            fields.append(HTTPField(name: try #require(HTTPField.Name(parts[0])), lenientValue: Array(parts[1].utf8)))
        }
        let status = HTTPResponse.Status(code: 200, reasonPhrase: String(lines[0].dropFirst(13)))
        return Response(url: try #require(URL(string: "https://example.com/")), status: status, fields: fields).head
    }

    @Test func `a terminal is not commanded by it`() throws {
        let screen = try PseudoTerminal()
        let descriptor = try #require(System.openTerminal(screen.path))
        defer { System.close(descriptor) }
        let shown = TerminalText.shown(try Self.head(), on: descriptor)
        #expect(shown == "HTTP/1.1 200 OK\u{FFFD}KO\nX-Dog: a\u{FFFD}2Jb\tc\u{FFFD}d\nX-Cat: é 犬\n\n")
    }

    @Test func `a file and a pipe get it as it is`() throws {
        let head = try Self.head()
        #expect(TerminalText.shown(head, on: Pipe().writer) == head)
        #expect(head.contains("\u{9B}") && head.contains("\u{202E}"))
    }

    /// Prints a response with its head, like a command does.
    private static func print(on descriptor: CInt) async throws {
        let client = Client(connector: MemoryConnector { _ in .raw("\(Self.text)Content-Length: 4\r\n\r\nbody") })
        let (bytes, response) = try await client.bytes(for: Request(.get, "http://example.com/"))
        let report = try await BodyOptions.parse(["--include"]).print(bytes, response, on: descriptor)
        #expect(report.outcome == .ok)
    }

    @Test func `a command shows a terminal no more of it`() async throws {
        let screen = try PseudoTerminal()
        let descriptor = try #require(System.openTerminal(screen.path))
        defer { System.close(descriptor) }
        try await Self.print(on: descriptor)
        let shown = try await screen.text(until: "body")
        #expect(shown.contains("HTTP/1.1 200 OK\u{FFFD}KO"))
        #expect(shown.contains("X-Dog: a\u{FFFD}2Jb\tc\u{FFFD}d"))
        #expect(shown.contains("X-Cat: é 犬"))
        #expect(!shown.unicodeScalars.contains { "\u{9B}\u{202E}\u{2066}".unicodeScalars.contains($0) })
    }

    @Test func `a command gives a pipe all of it`() async throws {
        let pipe = Pipe()
        try await Self.print(on: pipe.writer)
        #expect(try pipe.text() == "\(Self.head().dropLast())Content-Length: 4\n\nbody")
    }
}
