// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Limits the total length of all bodies that writers of a store have not completed yet.
///
/// The limit for a single body is not enough, because any number of calls may write bodies at the same time.
final class WritingBudget: Sendable {
    private let limit: Int64
    private let taken = Mutex<Int64>(0)

    /// Creates a budget of half the store's maximum size, but with room for at least one body of the maximum length.
    ///
    /// In a disk store, unfinished bodies count towards the size, so the other half remains for stored responses. In a
    /// memory store, unfinished bodies come on top of the maximum size.
    init(_ maximumByteCount: Int64, _ maximumBodyByteCount: Int64) {
        self.limit = max(maximumByteCount / 2, maximumBodyByteCount)
    }

    /// Reserves room for bytes, until ``give(_:)`` releases it.
    ///
    /// - Throws: `CacheStoreError.tooLarge` if there is not enough room.
    func take(_ byteCount: Int64) throws(CacheStoreError) {
        let isTaken = self.taken.withLock { taken in
            guard byteCount <= self.limit - taken else { return false }
            taken += byteCount
            return true
        }
        if !isTaken { throw .tooLarge }
    }

    /// Releases reserved room.
    func give(_ byteCount: Int64) { self.taken.withLock { $0 -= byteCount } }
}
