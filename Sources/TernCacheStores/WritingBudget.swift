// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Limits the total length of all bodies that writers of a store have not completed yet, because any number of calls may write.
final class WritingBudget: Sendable {
    private let limit: Int64
    private let taken = Mutex<Int64>(0)

    /// Creates a budget of half the store's maximum size, but with room for at least one body of the maximum length.
    ///
    /// The unfinished bodies of a disk store count towards its size, and those of a memory store come on top.
    init(_ maximumByteCount: Int64, _ maximumBodyByteCount: Int64) {
        self.limit = max(maximumByteCount / 2, maximumBodyByteCount)
    }

    /// Reserves room for bytes, until ``give(_:)`` releases it; throws `CacheStoreError.tooLarge`.
    func take(_ byteCount: Int64) throws(CacheStoreError) {
        let isTaken = self.taken.withLock { taken in
            guard byteCount <= self.limit - taken else { return false }
            taken += byteCount
            return true
        }
        if !isTaken { throw .tooLarge }
    }

    func give(_ byteCount: Int64) { self.taken.withLock { $0 -= byteCount } }
}
