// SPDX-License-Identifier: Apache-2.0

/// Tracks which writers may still add a response to the store.
///
/// A writer may add a response if it began after the last removal of the entries for its URL. A slow response to a
/// request from before the removal may be outdated, or may belong to a user who has signed out.
struct WriterRegistry {
    /// Identifies a writer.
    struct ID: Hashable {
        fileprivate let key: CacheKey
        fileprivate let number: UInt64
    }

    private var numbers: [CacheKey: Set<UInt64>] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether there is no open writer, for tests.
    var isEmpty: Bool { self.numbers.isEmpty }

    /// Registers a new writer.
    mutating func begin(_ key: CacheKey) -> ID {
        self.lastNumber += 1
        self.numbers[key, default: []].insert(self.lastNumber)
        return ID(key: key, number: self.lastNumber)
    }

    /// Returns whether the writer may still add a response.
    func isOpen(_ id: ID) -> Bool { self.numbers[id.key]?.contains(id.number) == true }

    /// Removes a writer that has finished or was released.
    ///
    /// - Returns: Whether the writer was still allowed to add a response.
    @discardableResult
    mutating func end(_ id: ID) -> Bool {
        let isOpen = self.numbers[id.key]?.remove(id.number) != nil
        if self.numbers[id.key]?.isEmpty == true { self.numbers[id.key] = nil }
        return isOpen
    }

    /// Closes all writers of a URL, because the entries of the URL were removed.
    mutating func revoke(_ key: CacheKey) { self.numbers[key] = nil }

    /// Closes all writers, because all entries were removed.
    mutating func revokeAll() { self.numbers = [:] }
}
