// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
