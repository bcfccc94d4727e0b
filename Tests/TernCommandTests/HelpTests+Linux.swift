// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import ArgumentParser
import TestSupport
import Testing

@testable import TernCommand

extension HelpTests {
    /// The program answers before it sets up the grammar, so it reads these options itself.
    @Test(arguments: ["--version", "-V"])
    func `the program prints its version`(option: String) async throws {
        let result = try await RunningProgram.ternCLI(option, in: TemporaryFolder())
        #expect(result.output == TernCLI.configuration.version + "\n")
        #expect(result.output.hasPrefix("tern-cli "))
        #expect(result.exitCode == 0 && result.errors.isEmpty)
    }
}
#endif
