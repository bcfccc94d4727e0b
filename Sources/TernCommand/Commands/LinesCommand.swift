// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

struct LinesCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "Prints each line of a response as it arrives.",
        discussion: """
            Reads responses that arrive line by line, such as one JSON value per line. Each line is written as soon \
            as it is complete, also to a pipe; lines that arrive together are written together. Stopping early, as \
            with --limit, ends the call. On a terminal, control characters are replaced.

            EXAMPLES
              tern-cli lines https://example.com/photos/updates
              tern-cli lines https://example.com/photos/updates --limit 5
              tern-cli lines https://example.com/updates | grep --line-buffered '"photo":1'
            """
    )

    @OptionGroup var call: CallOptions

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Stop after this many lines.", valueName: "count"))
    var limit: Int?

    @OptionGroup(title: "Sending") var content: ContentOptions

    @OptionGroup var failing: FailOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let output = OutputWriter()
        let (client, request) = try await self.prepare(.get, self.content, delegate)
        let (bytes, response) = try await client.bytes(for: request)
        self.printTLSFacts(response)
        let isTerminal = System.isTerminal(System.standardOutput)
        var (lineCount, byteCount) = (0, Int64(0))
        let isHidden = self.failing.hidesBody(of: response)
        try await output.whileRead {
            guard !isHidden else { return }
            for try await line in bytes.lines {
                lineCount += 1
                byteCount += Int64(line.utf8.count + 1)
                try self.call.checkLength(byteCount)
                try await output.write(line: isTerminal ? TerminalText.sanitized(line) : line)
                if lineCount == self.limit { break }
            }
        }
        var report = CallReport(response, bytes: byteCount)
        self.failing.judge(&report, response, "the lines were printed")
        return report
    }
}
