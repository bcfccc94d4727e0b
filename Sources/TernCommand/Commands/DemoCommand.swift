// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `tern-cli demo`.
struct DemoCommand: AsyncParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Plays the story of a photo-sharing app against a small server of its own.",
        discussion: """
            The server listens on loopback, at a port that is free; nothing leaves this machine, and nothing is left \
            behind. Each chapter says what it does and checks what comes of it: the exit code is 0 only if all is as it \
            should be. It takes a few seconds.

            CHAPTERS
            \(DemoStory.contents)
            """
    )

    func run() async throws {
        let (result, signal) = await Interruption.run { try await DemoStory.play() }
        guard case .failure(let error) = result else { return }
        var report = CallReport(error)
        if let outcome = Outcome(signal: signal) { report.outcome = outcome }
        if report.outcome == .ok { report.outcome = .other }  // nobody reads any more: the rest was not checked
        if let message = report.message, signal == nil { System.tell(TerminalText.note(message)) }
        throw ExitCode(report.outcome.exitCode)
    }
}
