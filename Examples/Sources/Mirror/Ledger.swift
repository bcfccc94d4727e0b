// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A record of the mirror's files, stored next to them, so that the next run does not fetch unchanged files again.
actor Ledger {
    struct Entry: Codable, Equatable, Sendable {
        /// The validators of the complete file in the mirror, and its length (RFC 9110 §8.8).
        var entityTag: String?
        var lastModified: String?
        var byteCount: Int64?
        /// The strong entity tag of the part of the file, if a transfer was interrupted.
        var partTag: String?
    }

    private let file: URL
    private var entries: [String: Entry]

    /// Opens the ledger, which is empty if its file is missing or damaged, so that all files are fetched again.
    init(_ file: URL) {
        self.file = file
        self.entries = (try? JSONDecoder().decode([String: Entry].self, from: Data(contentsOf: file))) ?? [:]
    }

    subscript(item: MirrorItem) -> Entry { self.entries[item.path] ?? Entry() }

    /// Changes the record of a file, and writes it to disk at once, because the program may end at any time.
    func note(_ item: MirrorItem, _ change: @Sendable (inout Entry) -> Void) throws {
        var entry = self[item]
        change(&entry)
        guard entry != self.entries[item.path] else { return }
        self.entries[item.path] = entry
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self.entries).write(to: self.file, options: .atomic)
    }
}
