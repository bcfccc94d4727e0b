// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

/// One part of the story: it does something, says what happens, and checks that it should.
protocol DemoChapter: Sendable {
    /// What it is about, in a few words.
    var title: String { get }

    /// Plays it.
    ///
    /// - Throws: ``DemoFailure`` when something is not as it should be, or whatever the client throws.
    func play(on stage: DemoStage) async throws
}

/// What is not as it should be.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ expectation: String) { self.description = "the demo expected that \(expectation)" }
}

/// What a chapter has to play with.
struct DemoStage: Sendable {
    /// Makes the calls; the same for all chapters, as in an app.
    let client: Client
    /// Answers them.
    let server: DemoServer
    /// Is removed at the end.
    let folder: DemoFolder
    let output: OutputWriter

    /// A URL of the server.
    func url(_ path: String) -> URL { self.server.address.appending(path: path) }

    /// Prints a line of the story.
    func say(_ text: String) async throws(OutputFailure) { try await self.output.write(line: "   \(text)") }

    /// Goes on only if something is as it should be.
    func expect(_ isTrue: Bool, _ expectation: String) throws(DemoFailure) {
        guard isTrue else { throw DemoFailure(expectation) }
    }
}

/// A temporary folder of the demo.
struct DemoFolder: Sendable {
    private let url: URL

    /// Creates it.
    init() throws {
        let name = "tern-demo-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        self.url = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: false)
    }

    /// The URL of a file in it.
    func file(_ name: String) -> URL { self.url.appending(path: name) }

    /// Removes it with all it holds.
    func remove() { try? FileManager.default.removeItem(at: self.url) }
}
