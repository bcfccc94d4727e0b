// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all photos.")

    @OptionGroup var server: ServerOptions

    func run() async throws {
        for photo in try await self.server.use({ try await $0.photos() }) { print(photo.line) }
    }
}

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows the details of a photo.")

    @Argument(help: "The photo's number.") var id: Int
    @OptionGroup var server: ServerOptions

    func run() async throws {
        print(try await self.server.use { try await $0.photo(self.id) }.line)
    }
}

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Makes a photo a favourite.",
        discussion: "The server asks who you are: \(PhotoAlbum.user), whose password is \(PhotoAlbum.password)."
    )

    @Argument(help: "The photo's number.") var id: Int
    @Option(help: "Your name. If you do not give it, the app asks.") var user: String?
    @Option(help: "Your password. If you do not give it, the app asks. Others may see it in the list of processes.")
    var password: String?
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let signIn = SignIn(user: self.user, password: self.password)
        print(try await self.server.use { try await $0.makeFavourite(self.id, signIn: signIn) }.line)
    }
}

struct CountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counts",
        abstract: "Shows favourite counts as they change."
    )

    @Option(help: "The number of changes to show.") var limit = 10
    @OptionGroup var server: ServerOptions

    func run() async throws {
        guard self.limit > 0 else { return }
        try await self.server.use { service in
            var rest = self.limit
            for try await count in try await service.counts() {
                print("photo \(count.photo): \(count.favourites) favourites")
                rest -= 1
                if rest == 0 { break }
            }
        }
    }
}

extension Photo {
    var line: String { "\(self.id)  \(self.title), \(self.favourites) favourites, \(self.byteCount) bytes" }
}
