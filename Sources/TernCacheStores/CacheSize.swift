// SPDX-License-Identifier: Apache-2.0

/// The size of a cache, or the limit of its size.
struct CacheSize: Hashable, Sendable {
    /// The number of bytes on disk or in memory.
    var byteCount: Int64 = 0
    /// The number of responses.
    var entryCount = 0

    /// Returns whether this size is within a limit.
    func fits(_ limit: CacheSize) -> Bool {
        self.byteCount <= limit.byteCount && self.entryCount <= limit.entryCount
    }

    /// This limit reduced by a tenth.
    ///
    /// A full store shrinks to this size, so that it need not make room at each insertion.
    var afterMakingRoom: CacheSize {
        CacheSize(byteCount: self.byteCount - self.byteCount / 10, entryCount: self.entryCount - self.entryCount / 10)
    }

    /// Returns this size minus another.
    ///
    /// The result may be negative.
    func difference(to other: CacheSize) -> CacheSize {
        CacheSize(byteCount: self.byteCount - other.byteCount, entryCount: self.entryCount - other.entryCount)
    }

    /// Returns this size plus a change, which may be negative.
    ///
    /// Both numbers of the result are at least 0.
    func changed(by change: CacheSize) -> CacheSize {
        CacheSize(
            byteCount: max(0, self.byteCount + change.byteCount),
            entryCount: max(0, self.entryCount + change.entryCount)
        )
    }
}
