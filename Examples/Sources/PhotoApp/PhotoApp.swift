// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A photo-sharing app on the command line.
@main
struct PhotoApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PhotoApp",
        abstract: "Shows, likes, uploads and downloads photos on a server.",
        discussion: "Start the server in another window: PhotoApp serve. Or see all of it at once: PhotoApp demo.",
        subcommands: [
            DemoCommand.self, ServeCommand.self, ListCommand.self, ShowCommand.self, FavouriteCommand.self,
            CountsCommand.self, UploadCommand.self, DownloadCommand.self,
        ],
        defaultSubcommand: DemoCommand.self
    )
}
