// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TernFoundation
import TestSupport
import Testing

extension CookieOptionsTests {
    @Test(arguments: [["-s"], ["-sS"], ["-q"], []])
    func `a cookie that is missing from the call is reported, even with --silent`(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let text = "# Netscape HTTP Cookie File\nexample.com\tTRUE\n"
        try Data(text.utf8).write(to: folder.file("cookies.txt"))
        let nowhere = ["--unix-socket", folder.file("nowhere").path, "http://localhost/"]
        let damaged = options + ["-b", "cookies.txt"] + nowhere
        let result = try await RunningProgram.run(RunningProgram.ternCLI, damaged, in: folder)
        #expect(result.errors.contains("cookies.txt has 1 damaged line (line 2)"), "\(result.errors)")
        let missing = options + ["-b", "none.txt"] + nowhere
        let other = try await RunningProgram.run(RunningProgram.ternCLI, missing, in: folder)
        #expect(other.errors.contains("none.txt does not exist"), "\(other.errors)")
    }

    @Test func `several calls report such a cookie once, even with --silent`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("# Netscape HTTP Cookie File\nexample.com\tTRUE\n", to: "cookies.txt")
        let typed = ["-s", "-b", "cookies.txt", "--unix-socket", folder.file("nowhere").path]
        let urls = ["http://localhost/a", "http://localhost/b"]
        let result = try await RunningProgram.run(RunningProgram.ternCLI, typed + urls, in: folder)
        let count = result.errors.ranges(of: "cookies.txt has 1 damaged line (line 2)").count
        #expect(count == 1, "\(result.errors)")
    }
}
#endif
