// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TestSupport
import Testing

@testable import TernCommand

@Suite("A message after a body", .hangLimit)
struct OpenLineTests {
    /// Opens a terminal twice, like standard output and standard error.
    private struct Streams: ~Copyable {
        let output: CInt
        let errors: CInt

        init(_ one: PseudoTerminal, _ other: PseudoTerminal) {
            self.output = open(one.path, O_RDWR | O_NOCTTY)
            self.errors = open(other.path, O_RDWR | O_NOCTTY)
            // An earlier test may have left an open line on descriptors with these numbers.
            for descriptor in [self.output, self.errors] { OpenLine.record([UInt8(ascii: "\n")], on: descriptor) }
        }

        deinit {
            close(self.output)
            close(self.errors)
        }
    }

    static let bodies: [(body: String, shown: String)] = [
        ("dog", "dog\r\nerror\r\n"), ("dog\n", "dog\r\nerror\r\n"), ("", "error\r\n"), ("\n", "\r\nerror\r\n"),
        ("> dog\r\u{1B}[K", "> dog\r\u{1B}[Kerror\r\n"), ("dög", "dög\r\nerror\r\n"),
    ]

    @Test(arguments: bodies)
    func `a message on the same terminal has a line of its own`(body: String, shown: String) async throws {
        let screen = try PseudoTerminal()
        let streams = Streams(screen, screen)
        let writer = OutputWriter(descriptor: streams.output)
        try await writer.whileRead { try await writer.write(body.utf8) }
        System.show("error\n", on: streams.errors)
        System.show("again\n", on: streams.errors)
        #expect(try await screen.text(until: "again\r\n") == shown + "again\r\n")
    }

    @Test func `the text of --write-out continues the line`() async throws {
        let screen = try PseudoTerminal()
        let streams = Streams(screen, screen)
        let writer = OutputWriter(descriptor: streams.output)
        try await writer.whileRead { try await writer.write("dog".utf8) }
        System.show(" 200", on: streams.errors, continuesLine: true)
        System.show("error\n", on: streams.errors)
        #expect(try await screen.text(until: "error\r\n") == "dog 200\r\nerror\r\n")
    }

    @Test func `another terminal and a pipe get the message as it is`() async throws {
        let (screen, other, pipe) = (try PseudoTerminal(), try PseudoTerminal(), Pipe())
        let streams = Streams(screen, other)
        let writer = OutputWriter(descriptor: streams.output)
        try await writer.whileRead { try await writer.write("dog".utf8) }
        System.show("error\n", on: streams.errors)
        #expect(try await other.text(until: "error\r\n") == "error\r\n")
        System.show("error\n", on: pipe.writer)
        #expect(try pipe.text() == "error\n")
        let piped = OutputWriter(descriptor: pipe.writer)
        try await piped.whileRead { try await piped.write("dog".utf8) }
        System.show("error\n", on: streams.errors)
        #expect(try await other.text(until: "error\r\n") == "error\r\n")
    }
}
