// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoServer
import DemoTerminal
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Mirrors its own server three times (the default)."
    )

    func run() async throws {
        try await Self.play { print($0) }
    }

    /// Runs the demo; throws if a step fails.
    static func play(_ say: @escaping @Sendable (String) -> Void) async throws {
        let paths = (1...6).map { "/photos/\($0).jpg" }
        let files = Dictionary(
            uniqueKeysWithValues: paths.enumerated().map { number, path in
                (path, DemoPhoto(byteCount: (number + 1) * 500_000, seed: UInt64(number + 1)))
            }
        )
        let server = FileServer(files, fragile: "/photos/3.jpg")
        let folder = MirrorFolder(
            root: FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        )
        defer { try? FileManager.default.removeItem(at: folder.root) }
        try await DemoServer.run(answering: { server.answer($0) }) { place in
            let items = try MirrorItem.list(paths.map { "\(place.address)\($0)" }.joined(separator: "\n"))
            let mirroring = Mirroring(folder: folder, limit: 2)
            say("the first time: fetches all files; the third one breaks off in the middle")
            try await Self.run(mirroring, items, server, say)
            say("again: nothing has changed")
            try await Self.run(mirroring, items, server, say)
            server.replace("/photos/5.jpg", by: DemoPhoto(byteCount: 700_000, seed: 55))
            say("again, after the fifth file was replaced on the server")
            try await Self.run(mirroring, items, server, say)
        }
    }

    private static func run(
        _ mirroring: Mirroring,
        _ items: [MirrorItem],
        _ server: FileServer,
        _ say: (String) -> Void
    ) async throws {
        let before = server.sentByteCount
        var lines: [String] = []
        let failureCount = try await mirroring.run(items) { lines.append($0) }
        for line in lines { say("  \(line)") }
        say("  the server sent \(ProgressBar.bytes(Int64(server.sentByteCount - before)))")
        guard failureCount == 0 else { throw ExitCode(1) }
    }
}
