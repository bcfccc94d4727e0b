// SPDX-License-Identifier: Apache-2.0
import Tern
import TestSupport
import Testing

@testable import TernCommand

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What `--include` shows of fields that a server chose.
@Suite("A head that is printed", .hangLimit)
struct IncludedHeadTests {
    private static func head() throws -> String {
        var decoder = ResponseDecoder(method: .get)
        let text = "HTTP/1.1 200 OK\u{202E}KO\r\nX-Dog: a\u{9B}2Jb\tc\u{2066}d\r\nX-Cat: é 犬\r\n\r\n"
        guard case .head(let head)? = try decoder.next(Array(text.utf8).span.bytes).event else {
            throw CancellationError()
        }
        return Response(url: try #require(URL(string: "https://example.com/")), head: head).head
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
}
