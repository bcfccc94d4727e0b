// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import TernCommand

@Suite("tern-cli download --parallel")
struct ParallelDownloadTests {
    private static let url = "https://a/file"

    @Test(arguments: [["--continue"], ["--checksum", "md5:d41d8cd98f00b204e9800998ecf8427e"]])
    func `a download with a record may have several requests`(options: [String]) throws {
        #expect(try DownloadCommand.parse(options + ["--parallel", "4", Self.url]).parallel == 4)
        #expect(try DownloadCommand.parse(options + [Self.url]).parallel == nil)
    }

    @Test func `without a record, the option is refused with a way out`() {
        let error = #expect(throws: (any Error).self) { try DownloadCommand.parse(["--parallel", "4", Self.url]) }
        #expect(error.map { DownloadCommand.message(for: $0) }?.contains("add --continue") == true)
    }

    @Test(arguments: ["0", "17", "-1", "many"])
    func `the number is from 1 to 16`(count: String) {
        #expect(throws: (any Error).self) {
            try DownloadCommand.parse(["--continue", "--parallel", count, Self.url])
        }
    }
}
