// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation
import TernPublishers

/// Downloads photos for the cells of a list, and measures how much memory two kinds of publishers need.
@main
enum ImageDownloader {
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }

    static func main() async {
        do {
            try await Self.run()
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    private static func run() async throws {
        if let measurement = MemoryMeasurement(CommandLine.arguments) { return try await measurement.run() }
        let gallery = Gallery()
        try await DemoServer.run(answering: { gallery.answer(to: $0) }) { server in
            try await Self.scroll(server)
            try await MemoryTable.print(address: server.address)
        }
    }

    /// Shows a part of a list of photos in four cells, and scrolls the list.
    private static func scroll(_ server: DemoServer) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tern-images-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Client.Configuration()
        configuration.cache = DiskCacheStore(directory: folder)
        let client = Client(configuration: configuration)
        let cells = (0..<4).map { PhotoCell(number: $0, client: client) }
        func show(_ names: [String]) {
            for (cell, name) in zip(cells, names) { cell.show(Request(.get, "\(server.address)/photos/\(name)")) }
        }

        print("Four cells show the first photos.")
        show(["1", "2", "3", "4"])
        try await Self.wait("the photos to come") { cells.allSatisfy { $0.photo?.byteCount == Gallery.smallByteCount } }

        print("\nThe user scrolls past slow photos. The cells are reused, which cancels their downloads.")
        show(["slow/5", "slow/6", "slow/7", "slow/8"])
        try await Self.wait("the server to be asked") { server.requests.count { $0.contains("slow") } == 4 }
        show(["9", "missing", "11", "12"])
        try await Self.wait("the server to notice") { server.journal.count { $0.contains("disconnected") } == 4 }
        try await Self.wait("the photos to come") { cells.allSatisfy { $0.photo != nil } }
        guard cells[1].photo == .fallback else { throw Failure("the fallback did not replace the missing photo") }

        print("\nBack to the beginning: these come from the cache.")
        let askedCount = server.requests.count
        show(["1", "2", "3", "4"])
        try await Self.wait("the photos to come") { cells.allSatisfy { $0.photo?.byteCount == Gallery.smallByteCount } }
        guard server.requests.count == askedCount else { throw Failure("the cache did not answer all requests") }
        print("\nWhat the server saw:")
        for line in server.journal { print("  \(line)") }
    }

    private static func wait(_ what: String, until condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition() {
            guard ContinuousClock.now < deadline else { throw Failure("gave up waiting for \(what)") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
