// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TestSupport
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

    #if os(Linux)
    /// The program answers before it sets up the grammar, so it reads these options itself.
    @Test(arguments: ["--version", "-V"])
    func `the program prints its version`(option: String) async throws {
        let result = try await RunningProgram.ternCLI(option, in: TemporaryFolder())
        #expect(result.output == TernCLI.configuration.version + "\n")
        #expect(result.output.hasPrefix("tern-cli "))
        #expect(result.exitCode == 0 && result.errors.isEmpty)
    }
    #endif
}
