// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct DemoCommand: AsyncParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs the story of a photo-sharing app against its own small server.",
        discussion: """
            The server listens on a free port on loopback. Nothing leaves this machine, and no files remain. Each \
            chapter says what it does and checks the results; the exit code is 0 only if all checks pass. The demo \
            takes a few seconds.

            CHAPTERS
            \(DemoStory.contents)
            """
    )

    func run() async throws {
        let (result, signal) = await Interruption.run { try await DemoStory.play() }
        guard case .failure(let error) = result else { return }
        var report = CallReport(error)
        if let outcome = Outcome(signal: signal) { report.outcome = outcome }
        // A failure with the outcome `ok` means that the reader of the output is gone, so the demo has not made all its
        // checks.
        if report.outcome == .ok { report.outcome = .other }
        if let message = report.message, signal == nil { System.tell(TerminalText.note(message)) }
        throw ExitCode(report.outcome.exitCode)
    }
}
