// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoTerminal
import Foundation

/// Keeps copies of files that are on servers.
@main
struct Mirror: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Mirror",
        abstract: "Fetches files, several at once, and later only what has changed.",
        subcommands: [DemoCommand.self, FetchCommand.self],
        defaultSubcommand: DemoCommand.self
    )
}

/// `Mirror fetch`.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetches the files of a list.",
        discussion: """
            What was interrupted goes on where it stopped. What has not changed is not fetched again: the servers are \
            asked by If-None-Match and If-Modified-Since, from what .mirror.json in the folder says. A file appears, or \
            is replaced, when it is complete.
            """
    )

    @Argument(help: "A file with a URL on each line, or - for standard input.", completion: .file()) var list: String
    @Option(name: .customLong("to"), help: "The folder of the mirror.", completion: .directory) var folder = "mirror"
    @Option(help: "How many files to fetch at once.") var atOnce = 4
    @Option(help: "How often to try again, for each file.") var retries = 3

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
