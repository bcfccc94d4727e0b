// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TestSupport
import Testing

@testable import TernCommand

extension CommandArgumentsTests {
    @Test func `every option that curl lists is known`() async throws {
        guard let curl = RunningProgram.curl else { return }
        let folder = try TemporaryFolder()
        let help = try await RunningProgram.run(curl, ["--help", "all"], in: folder).output
        let get = try #require(CommandGrammar.commands["get"])
        var count = 0
        for line in help.split(separator: "\n") {
            guard let match = line.prefixMatch(of: /\s*(?:-(.), )?\s*--([a-z0-9.-]+)( [<\[])?/) else { continue }
            count += 1
            let name = String(match.2)
            let option = try #require(get.option(named: name) ?? CurlOption.named(name)?.option, "\(line)")
            #expect(option.takesValue == (match.3 != nil) || name == "help", "\(line)")
            if let letter = match.1?.first, letter != "q", letter != ":" {
                let known = get.option(of: letter) ?? CurlOption.of(letter)?.option
                #expect(known?.takesValue == option.takesValue && known != nil, "\(line)")
            }
        }
        #expect(count > 200)
    }
}
#endif
