// SPDX-License-Identifier: Apache-2.0

struct CacheSize: Hashable, Sendable {
    var byteCount: Int64 = 0
    var entryCount = 0

    func fits(_ limit: CacheSize) -> Bool {
        self.byteCount <= limit.byteCount && self.entryCount <= limit.entryCount
    }

    /// This limit reduced by a tenth, to which a full store shrinks, so that it need not make room at each insertion.
    var afterMakingRoom: CacheSize {
        CacheSize(byteCount: self.byteCount - self.byteCount / 10, entryCount: self.entryCount - self.entryCount / 10)
    }

    /// May be negative.
    func difference(to other: CacheSize) -> CacheSize {
        CacheSize(byteCount: self.byteCount - other.byteCount, entryCount: self.entryCount - other.entryCount)
    }

    /// Both numbers of the result are at least 0.
    func changed(by change: CacheSize) -> CacheSize {
        CacheSize(
            byteCount: max(0, self.byteCount + change.byteCount),
            entryCount: max(0, self.entryCount + change.entryCount)
        )
    }
}
