// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import TernCommand

@Suite("The texts of --help and --version")
struct HelpTests {
    private static let commands = Self.all(TernCLI.self)

    /// Returns a command, its subcommands, and theirs.
    private static func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { Self.all($0) }
    }

    /// A terminal of 80 columns breaks a longer line, which is fine in a paragraph, but not in an example or a list.
    @Test func `no indented line of an overview is longer than 80 columns`() {
        var indentedCount = 0
        for command in Self.commands {
            let lines: [Substring] = command.configuration.discussion.split { $0 == "\n" }
            for line in lines where line.hasPrefix("  ") {
                indentedCount += 1
                #expect(line.count <= 80, "\(command): \(line)")
            }
            #expect(!command.configuration.abstract.isEmpty)
        }
        #expect(indentedCount > 50)
    }
}
