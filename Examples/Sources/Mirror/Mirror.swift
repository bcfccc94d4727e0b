// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoTerminal
import Foundation

/// Keeps copies of files from servers.
@main
struct Mirror: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Mirror",
        abstract: "Fetches files, several at once, and later only the changed ones.",
        subcommands: [DemoCommand.self, FetchCommand.self],
        defaultSubcommand: DemoCommand.self
    )
}

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetches the files of a list.",
        discussion: """
            Resumes interrupted files where they stopped. Does not fetch unchanged files again: it sends \
            If-None-Match and If-Modified-Since with the values from .mirror.json in the folder. A file appears, or \
            is replaced, when it is complete.
            """
    )

    @Argument(help: "A file with a URL on each line, or - for standard input.", completion: .file()) var list: String
    @Option(name: .customLong("to"), help: "The folder of the mirror.", completion: .directory) var folder = "mirror"
    @Option(help: "The number of files to fetch at once.") var atOnce = 4
    @Option(help: "The number of retries for each file.") var retries = 3

    func run() async throws {
        let data = self.list == "-" ? FileHandle.standardInput.readDataToEndOfFile() : try self.read()
        let items = try MirrorItem.list(String(decoding: data, as: UTF8.self))
        let folder = MirrorFolder(root: URL(fileURLWithPath: self.folder))
        let bars = ProgressBars()
        let mirroring = Mirroring(folder: folder, limit: self.atOnce, retryCount: self.retries, bars: bars)
        let failureCount = try await mirroring.run(items) { bars.print($0) }
        guard failureCount == 0 else { throw ExitCode(1) }
    }

    private func read() throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: self.list))
        } catch {
            throw ValidationError("\(self.list) cannot be read. Give a file with a URL on each line.")
        }
    }
}
