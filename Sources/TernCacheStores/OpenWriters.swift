// SPDX-License-Identifier: Apache-2.0

/// Who may still bring a response: those who began after their URL was forgotten last.
///
/// An answer from before a change, or from before the user signed out, must not come back because it came slowly.
struct OpenWriters {
    /// One of them.
    struct ID: Hashable {
        fileprivate let key: CacheKey
        fileprivate let number: UInt64
    }

    private var numbers: [CacheKey: Set<UInt64>] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether there is none; for tests.
    var isEmpty: Bool { self.numbers.isEmpty }

    /// A writer begins.
    mutating func begin(_ key: CacheKey) -> ID {
        self.lastNumber += 1
        self.numbers[key, default: []].insert(self.lastNumber)
        return ID(key: key, number: self.lastNumber)
    }

    /// Whether it may still bring something.
    func isOpen(_ id: ID) -> Bool { self.numbers[id.key]?.contains(id.number) == true }

    /// It is done, or gave up.
    ///
    /// - Returns: whether it might still bring something.
    @discardableResult
    mutating func end(_ id: ID) -> Bool {
        let isOpen = self.numbers[id.key]?.remove(id.number) != nil
        if self.numbers[id.key]?.isEmpty == true { self.numbers[id.key] = nil }
        return isOpen
    }

    /// A URL is forgotten.
    mutating func revoke(_ key: CacheKey) { self.numbers[key] = nil }

    /// Everything is forgotten.
    mutating func revokeAll() { self.numbers = [:] }
}
