// SPDX-License-Identifier: Apache-2.0
import Tern

/// The chapters of `tern-cli demo`, and how they are played.
enum DemoStory {
    /// All chapters, in order; a new one is a new type, and a line here.
    static let chapters: [any DemoChapter] = [
        PhotoChapter(),
        SignInChapter(),
        LiveCountsChapter(),
        LiveChannelChapter(),
        UploadChapter(),
        DownloadChapter(),
        CancellationChapter(),
        ErrorsChapter(),
    ]

    /// The titles, one on a line, for the help.
    static var contents: String {
        Self.chapters.enumerated().map { "  \($0.offset + 1). \($0.element.title)" }.joined(separator: "\n")
    }

    /// Plays all chapters; throws what goes wrong first.
    static func play() async throws {
        let start = ContinuousClock.now
        let folder = try DemoFolder()
        defer { folder.remove() }
        let output = OutputWriter()
        let collector = MetricsCollector()
        try await DemoServer.run { server in
            var configuration = Client.Configuration()
            configuration.monitors = [collector]
            let client = Client(configuration: configuration)
            let stage = DemoStage(client: client, server: server, folder: folder, output: output)
            try await output.write(line: "A photo-sharing app for dog lovers, and its server at \(server.address)")
            for (index, chapter) in Self.chapters.enumerated() {
                try await output.write(line: "\n\(index + 1). \(chapter.title)")
                try await chapter.play(on: stage)
                try await output.finish()
            }
        }
        try await output.write(line: "\nWhat went over the wire, call by call as they ended")
        for line in TransactionTable.lines(collector.calls.flatMap(\.transactions)) {
            try await output.write(line: "   \(line)")
        }
        let time = Figures.time(ContinuousClock.now - start)
        try await output.write(line: "\nAll \(Self.chapters.count) chapters went as they should, in \(time).")
        try await output.finish()
    }
}
