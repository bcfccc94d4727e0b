// SPDX-License-Identifier: Apache-2.0

/// How much a cache keeps, or may keep.
struct CacheSize: Hashable, Sendable {
    /// What it takes on the disk or in memory, in bytes.
    var byteCount: Int64 = 0
    /// The number of responses.
    var entryCount = 0

    /// Whether this is no more than a limit.
    func fits(_ limit: CacheSize) -> Bool {
        self.byteCount <= limit.byteCount && self.entryCount <= limit.entryCount
    }

    /// A tenth less, so that room is not looked for at each insertion.
    var afterMakingRoom: CacheSize {
        CacheSize(byteCount: self.byteCount - self.byteCount / 10, entryCount: self.entryCount - self.entryCount / 10)
    }

    /// How much more this is than another size; less than zero if it is less.
    func difference(to other: CacheSize) -> CacheSize {
        CacheSize(byteCount: self.byteCount - other.byteCount, entryCount: self.entryCount - other.entryCount)
    }

    /// The sum, where nothing is less than zero.
    func changed(by change: CacheSize) -> CacheSize {
        CacheSize(
            byteCount: max(0, self.byteCount + change.byteCount),
            entryCount: max(0, self.entryCount + change.entryCount)
        )
    }
}
