// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import TernCommand

@Suite("The texts of --help")
struct HelpTests {
    private static let commands: [any ParsableCommand.Type] = [TernCLI.self] + TernCLI.configuration.subcommands

    /// A line that is too long for a terminal of 80 columns breaks in the middle, and what follows begins at its edge.
    @Test(arguments: 0..<commands.count)
    func `no line of an overview is longer than 80 columns`(index: Int) {
        let command = Self.commands[index]
        let long = command.configuration.discussion.split(separator: "\n").filter { $0.count > 80 }
        #expect(long.isEmpty)
        #expect(!command.configuration.abstract.isEmpty)
    }
}
