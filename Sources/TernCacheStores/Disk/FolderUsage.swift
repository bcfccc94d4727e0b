// SPDX-License-Identifier: Apache-2.0

/// Tracks the size of a cache's folder, and decides when to measure the folder, in the background, one measurement at a time.
///
/// A response that is stored during a measurement may count twice. So the next one may come too early, but never too late.
struct FolderUsage {
    let limit: CacheSize
    /// `nil` before the first measurement.
    private(set) var size: CacheSize?
    private var isCounting = false
    private var addedMeanwhile = CacheSize()

    init(limit: CacheSize) { self.limit = limit }

    /// Returns whether to measure the folder now.
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

    /// A measurement in progress counts what it finds, so its result may be too large until the next one.
    mutating func emptied() {
        self.addedMeanwhile = CacheSize()
        if !self.isCounting, self.size != nil { self.size = CacheSize() }
    }

    /// Returns whether to measure again, because of responses that were stored during the measurement.
    mutating func counted(_ left: CacheSize) -> Bool {
        let size = left.changed(by: self.addedMeanwhile)
        self.size = size
        self.isCounting = self.addedMeanwhile != CacheSize() && !size.fits(self.limit)
        self.addedMeanwhile = CacheSize()
        return self.isCounting
    }
}
