// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernCommand

@Suite("Questions on a terminal", .hangLimit)
struct TerminalTests {
    @Test(arguments: [true, false])
    func `an answer is a line, hidden if it is secret`(isSecret: Bool) async throws {
        let screen = try PseudoTerminal()
        async let answer = Terminal(path: screen.path).ask("Password: ", isSecret: isSecret, otherwise: "")
        let question = try await screen.text(until: "Password: ")
        #expect(screen.echoes == !isSecret)
        try screen.type("wöof dog\n")
        let line = try await answer
        #expect(line == "wöof dog")
        #expect(screen.echoes)
        let rest = try await screen.text(until: "\n")
        #expect((question + rest).contains("wöof") == !isSecret)
    }

    @Test func `several questions get several answers`() async throws {
        let screen = try PseudoTerminal()
        let terminal = Terminal(path: screen.path)
        async let answers = [
            terminal.ask("User: ", isSecret: false, otherwise: ""),
            terminal.ask("Key: ", isSecret: true, otherwise: ""),
        ]
        _ = try await screen.text(until: "User: ")
        try screen.type("anna\n")
        _ = try await screen.text(until: "Key: ")
        try screen.type("\n")
        let lines = try await answers
        #expect(lines == ["anna", ""])
    }

    @Test func `the end of input is no answer, and the terminal is as it was`() async throws {
        let screen = try PseudoTerminal()
        let path = screen.path
        let task = Task { try await Terminal(path: path).ask("Password: ", isSecret: true, otherwise: "") }
        _ = try await screen.text(until: "Password: ")
        try screen.type("\u{4}")
        let error = await #expect(throws: CommandFailure.self) { try await task.value }
        #expect(error?.outcome == .usage)
        #expect(screen.echoes)
    }

    @Test func `a task that is cancelled waits for nobody, and the terminal is as it was`() async throws {
        let screen = try PseudoTerminal()
        let path = screen.path
        let task = Task { try await Terminal(path: path).ask("Password: ", isSecret: true, otherwise: "") }
        _ = try await screen.text(until: "Password: ")
        #expect(!screen.echoes)
        task.cancel()
        let error = await #expect(throws: CommandFailure.self) { try await task.value }
        #expect(error?.outcome == .interrupted)
        #expect(screen.echoes)
    }

    @Test(arguments: ["/dev/null", "/not/there"])
    func `where there is no terminal, the error says what to do`(path: String) async {
        let error = await #expect(throws: CommandFailure.self) {
            try await Terminal(path: path).ask("Password: ", isSecret: true, otherwise: "give --user")
        }
        #expect(error?.outcome == .usage)
        #expect(error?.message == "there is no terminal for the question 'Password'; give --user")
    }
}
