// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What is known about the files of a mirror, kept in one file beside them, so that the next run need not fetch again what
/// has not changed.
actor Ledger {
    /// What is known about one file.
    struct Entry: Codable, Equatable, Sendable {
        /// The validators of the file that is there, and its length (RFC 9110 §8.8).
        var entityTag: String?
        var lastModified: String?
        var byteCount: Int64?
        /// The strong entity tag of the part that is there, if a transfer did not end.
        var partTag: String?
    }

    private let file: URL
    private var entries: [String: Entry]

    /// Opens the ledger; one that is missing or damaged is empty, and everything is fetched again.
    init(_ file: URL) {
        self.file = file
        self.entries = (try? JSONDecoder().decode([String: Entry].self, from: Data(contentsOf: file))) ?? [:]
    }

    /// What is known about a file.
    subscript(item: MirrorItem) -> Entry { self.entries[item.path] ?? Entry() }

    /// Notes something about a file, on the disk as well: the program may end at any time.
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
