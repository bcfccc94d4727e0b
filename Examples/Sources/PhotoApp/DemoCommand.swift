// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoServer
import DemoTerminal
import Foundation
import Tern

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Does everything once, with its own server (the default)."
    )

    func run() async throws {
        try await Self.play { print($0) }
    }

    /// Runs the demo; throws if a step fails.
    static func play(_ say: @escaping @Sendable (String) -> Void) async throws {
        let album = PhotoAlbum()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await DemoServer.run(answering: { album.answer($0) }) { server in
            guard let address = URL(string: server.address) else {
                throw ValidationError("\(server.address) is not a valid URL.")
            }
            let service = PhotoService(at: address)
            try await Self.read(service, say)
            try await Self.favour(service, say)
            try await Self.follow(service, say)
            try await Self.transfer(service, folder, say)
        }
    }

    private static func read(_ service: PhotoService, _ say: (String) -> Void) async throws {
        say("list")
        for photo in try await service.photos() { say("  \(photo.line)") }
        say("show 2")
        say("  \(try await service.photo(2).line)")
    }

    private static func favour(_ service: PhotoService, _ say: (String) -> Void) async throws {
        say("favourite 2, with a wrong password")
        do throws(ClientError) {
            _ = try await service.makeFavourite(2, signIn: SignIn(user: PhotoAlbum.user, password: "meow"))
        } catch {
            say("  \(error)")
        }
        say("favourite 2, signed in as \(PhotoAlbum.user)")
        let signIn = SignIn(user: PhotoAlbum.user, password: PhotoAlbum.password)
        say("  \(try await service.makeFavourite(2, signIn: signIn).line)")
    }

    private static func follow(_ service: PhotoService, _ say: (String) -> Void) async throws {
        say("counts, the first three of a stream that does not end")
        var rest = 3
        for try await count in try await service.counts() {
            say("  photo \(count.photo) has one more favourite")
            rest -= 1
            if rest == 0 { break }  // closes the connection
        }
    }

    private static func transfer(_ service: PhotoService, _ folder: URL, _ say: (String) -> Void) async throws {
        let file = folder.appendingPathComponent("large.photo")
        let photo = DemoPhoto(byteCount: 13_100_000)
        try Data(photo.bytes).write(to: file)
        say("upload large.photo")
        let uploaded = try await service.upload(
            file,
            title: "Biscuit at large",
            progress: TransferBar(.upload, "large.photo")
        )
        say("  \(uploaded.line)")
        say("download \(uploaded.id)")
        let copy = folder.appendingPathComponent("copy.photo")
        try await service.download(uploaded.id, to: copy, progress: TransferBar(.download, "copy.photo"))
        let isEqual = try Data(contentsOf: copy) == Data(photo.bytes)
        say("  \(isEqual ? "the same" : "NOT the same") \(ProgressBar.bytes(Int64(photo.bytes.count)))")
        guard isEqual else { throw ExitCode(1) }
    }
}
