// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Tern

struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "upload", abstract: "Adds a photo from a file.")

    @Argument(help: "The file.", completion: .file()) var file: String
    @Option(help: "The photo's title; the file's name by default.") var title: String?
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let file = URL(fileURLWithPath: self.file)
        let title = self.title ?? file.lastPathComponent
        let bar = TransferBar(.upload, file.lastPathComponent)
        print(try await self.server.use { try await $0.upload(file, title: title, progress: bar) }.line)
    }
}

struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "download", abstract: "Fetches a photo into a file.")

    @Argument(help: "The photo's number.") var id: Int
    @Option(name: .customLong("to"), help: "The file.", completion: .file()) var path: String?
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let file = URL(fileURLWithPath: self.path ?? "photo-\(self.id)")
        let bar = TransferBar(.download, file.lastPathComponent)
        try await self.server.use { try await $0.download(self.id, to: file, progress: bar) }
        print(file.path)
    }
}
