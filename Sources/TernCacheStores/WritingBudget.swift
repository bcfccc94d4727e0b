// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Limits the bytes of all unfinished bodies of a store.
///
/// Each body has its own limit, but any number of calls may write one at the same time.
final class WritingBudget: Sendable {
    private let limit: Int64
    private let taken = Mutex<Int64>(0)

    /// Creates a budget of half the store's size, so that the other half remains for stored responses.
    ///
    /// It always has room for one body.
    init(_ maximumByteCount: Int64, _ maximumBodyByteCount: Int64) {
        self.limit = max(maximumByteCount / 2, maximumBodyByteCount)
    }

    /// Reserves room for bytes, until ``give(_:)``.
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
