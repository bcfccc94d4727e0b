// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

enum DemoStory {
    /// To add a chapter, write a type that conforms to ``DemoChapter``, and add a line here.
    static let chapters: [any DemoChapter] = [
        PhotoChapter(),
        SignInChapter(),
        LiveCountsChapter(),
        LiveChannelChapter(),
        UploadChapter(),
        DownloadChapter(),
        ThumbnailsChapter(),
        TransferQueueChapter(),
        CancellationChapter(),
        ErrorsChapter(),
    ]

    static var contents: String {
        Self.chapters.enumerated().map { "  \($0.offset + 1). \($0.element.title)" }.joined(separator: "\n")
    }

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
        try await output.write(line: "\nExchanges by call, in the order in which the calls ended")
        for line in TransactionTable.lines(collector.calls.flatMap(\.transactions)) {
            try await output.write(line: "   \(line)")
        }
        let time = NumberFormat.time(ContinuousClock.now - start)
        try await output.write(line: "\nAll \(Self.chapters.count) chapters passed in \(time).")
        try await output.finish()
    }
}

/// A part of the story, which uses the client, prints what happens, and checks the results.
protocol DemoChapter: Sendable {
    var title: String { get }

    func play(on stage: DemoStage) async throws
}

struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ expectation: String) { self.description = "the demo expected that \(expectation)" }
}

struct DemoStage: Sendable {
    /// The client, which is the same for all chapters, as in an app.
    let client: Client
    let server: DemoServer
    let folder: DemoFolder
    let output: OutputWriter

    func url(_ path: String) -> URL { self.server.address.appending(path: path) }

    func say(_ text: String) async throws(OutputFailure) { try await self.output.write(line: "   \(text)") }

    func expect(_ isTrue: Bool, _ expectation: String) throws(DemoFailure) {
        guard isTrue else { throw DemoFailure(expectation) }
    }
}

struct DemoFolder: Sendable {
    private let url: URL

    init() throws {
        let name = "tern-demo-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        self.url = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: false)
    }

    func file(_ name: String) -> URL { self.url.appending(path: name) }

    func remove() { try? FileManager.default.removeItem(at: self.url) }
}
