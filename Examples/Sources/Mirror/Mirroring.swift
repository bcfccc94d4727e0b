// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Foundation
import Tern

/// Updates all files of a list, a few at a time.
struct Mirroring: Sendable {
    let folder: MirrorFolder
    var limit = 4
    var retryCount = 3
    var bars = ProgressBars()

    /// Fetches the files that have changed, with a line about each, and returns the number of those that could not be fetched.
    func run(_ items: [MirrorItem], _ say: (String) -> Void) async throws -> Int {
        try FileManager.default.createDirectory(at: self.folder.root, withIntermediateDirectories: true)
        let ledger = Ledger(self.folder.ledgerFile)
        let client = Client()
        var failureCount = 0
        try await withThrowingTaskGroup(of: (MirrorItem, Result<FileFetch.Outcome, any Error>).self) { group in
            var rest = items.makeIterator()
            func addNext() {
                guard let item = rest.next() else { return }
                let fetch = FileFetch(
                    item: item,
                    client: client,
                    folder: self.folder,
                    ledger: ledger,
                    retrying: Retrying(maximumCount: self.retryCount),
                    bars: self.bars
                )
                group.addTask {
                    do {
                        return (item, .success(try await fetch.run()))
                    } catch {
                        return (item, .failure(error))
                    }
                }
            }
            for _ in 0..<max(1, self.limit) { addNext() }
            while let (item, result) = try await group.next() {
                try Task.checkCancellation()
                if case .failure = result { failureCount += 1 }
                say(Self.line(item, result))
                addNext()
            }
        }
        return failureCount
    }

    private static func line(_ item: MirrorItem, _ result: Result<FileFetch.Outcome, any Error>) -> String {
        switch result {
        case .success(.unchanged): "unchanged  \(item.path)"
        case .success(.fetched(let count, 0)): "fetched    \(item.path), \(count) bytes"
        case .success(.fetched(let count, let start)):
            "fetched    \(item.path), \(count) bytes, of which \(start) were there"
        case .failure(let error): "FAILED     \(item.path): \(Self.sentence(error))"
        }
    }

    /// Returns a sentence for people, because the descriptions of Foundation's errors are for programmers.
    private static func sentence(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        return [error.filePath, error.localizedDescription].compactMap { $0 }.joined(separator: ": ")
    }
}
