// SPDX-License-Identifier: Apache-2.0

/// Tracks which writers may still add a response: those that began after the last removal of their URL.
///
/// A slow answer from before a change, or from before the user signed out, must not be stored.
struct WriterRegistry {
    /// Identifies a writer.
    struct ID: Hashable {
        fileprivate let key: CacheKey
        fileprivate let number: UInt64
    }

    private var numbers: [CacheKey: Set<UInt64>] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether there are no writers, for tests.
    var isEmpty: Bool { self.numbers.isEmpty }

    /// A writer begins.
    mutating func begin(_ key: CacheKey) -> ID {
        self.lastNumber += 1
        self.numbers[key, default: []].insert(self.lastNumber)
        return ID(key: key, number: self.lastNumber)
    }

    /// Returns whether the writer may still add a response.
    func isOpen(_ id: ID) -> Bool { self.numbers[id.key]?.contains(id.number) == true }

    /// A writer finished, or gave up.
    ///
    /// - Returns: Whether the writer could still have added a response.
    @discardableResult
    mutating func end(_ id: ID) -> Bool {
        let isOpen = self.numbers[id.key]?.remove(id.number) != nil
        if self.numbers[id.key]?.isEmpty == true { self.numbers[id.key] = nil }
        return isOpen
    }

    /// The entries of a URL were removed.
    mutating func revoke(_ key: CacheKey) { self.numbers[key] = nil }

    /// All entries were removed.
    mutating func revokeAll() { self.numbers = [:] }
}
