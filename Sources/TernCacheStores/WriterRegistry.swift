// SPDX-License-Identifier: Apache-2.0

/// Tracks which writers may still add a response: those that began after the last removal of the entries for their URLs, because
/// a slow response from before may be outdated, or may belong to a user who has signed out.
struct WriterRegistry {
    struct ID: Hashable {
        fileprivate let key: CacheKey
        fileprivate let number: UInt64
    }

    private var numbers: [CacheKey: Set<UInt64>] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { self.numbers.isEmpty }

    mutating func begin(_ key: CacheKey) -> ID {
        self.lastNumber += 1
        self.numbers[key, default: []].insert(self.lastNumber)
        return ID(key: key, number: self.lastNumber)
    }

    func isOpen(_ id: ID) -> Bool { self.numbers[id.key]?.contains(id.number) == true }

    /// Returns whether the writer was still allowed to add a response.
    @discardableResult
    mutating func end(_ id: ID) -> Bool {
        let isOpen = self.numbers[id.key]?.remove(id.number) != nil
        if self.numbers[id.key]?.isEmpty == true { self.numbers[id.key] = nil }
        return isOpen
    }

    mutating func revoke(_ key: CacheKey) { self.numbers[key] = nil }

    mutating func revokeAll() { self.numbers = [:] }
}
