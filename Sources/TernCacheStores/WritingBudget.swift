// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Bounds the bytes of bodies that a store is given at once and has not kept yet.
///
/// Each body has a limit of its own, but any number of calls may bring one at the same time.
final class WritingBudget: Sendable {
    private let limit: Int64
    private let taken = Mutex<Int64>(0)

    /// Half of what the store keeps, so that the other half stays for what is kept already; room for one body always.
    init(_ maximumByteCount: Int64, _ maximumBodyByteCount: Int64) {
        self.limit = max(maximumByteCount / 2, maximumBodyByteCount)
    }

    /// Takes room for bytes, until ``give(_:)``.
    ///
    /// - Throws: `CacheStoreError.tooLarge` if others have it.
    func take(_ byteCount: Int64) throws(CacheStoreError) {
        let isTaken = self.taken.withLock { taken in
            guard byteCount <= self.limit - taken else { return false }
            taken += byteCount
            return true
        }
        if !isTaken { throw .tooLarge }
    }

    /// Gives room back.
    func give(_ byteCount: Int64) { self.taken.withLock { $0 -= byteCount } }
}
