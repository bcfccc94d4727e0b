// SPDX-License-Identifier: Apache-2.0

/// How full a cache's folder is, as far as is known, and when it is to be counted.
///
/// Counting goes on beside everything else, one at a time. What is stored meanwhile may be counted twice: the next counting
/// comes too early then, and not too late.
struct FolderUsage {
    /// How much there may be at most.
    let limit: CacheSize
    /// What is there; `nil` before it was counted.
    private(set) var size: CacheSize?
    private var isCounting = false
    private var addedMeanwhile = CacheSize()

    init(limit: CacheSize) { self.limit = limit }

    /// Something was stored, or deleted, or replaced.
    ///
    /// - Parameter change: how much more there is; less than zero if there is less.
    /// - Returns: whether to count now.
    mutating func change(by change: CacheSize) -> Bool {
        guard !self.isCounting else {
            self.addedMeanwhile = self.addedMeanwhile.changed(by: CacheSize().changed(by: change))
            return false
        }
        self.size = self.size?.changed(by: change)
        guard change.byteCount > 0 || change.entryCount > 0 else { return false }
        if let size = self.size, size.fits(self.limit) { return false }
        self.isCounting = true
        return true
    }

    /// It was counted, and what was too much deleted.
    ///
    /// - Parameter left: what is left.
    /// - Returns: whether to count again, because of what was stored meanwhile.
    mutating func counted(_ left: CacheSize) -> Bool {
        let size = left.changed(by: self.addedMeanwhile)
        self.size = size
        self.isCounting = self.addedMeanwhile != CacheSize() && !size.fits(self.limit)
        self.addedMeanwhile = CacheSize()
        return self.isCounting
    }
}
