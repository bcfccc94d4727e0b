// SPDX-License-Identifier: Apache-2.0

/// How full a cache's folder is, as far as is known, and when it is to be counted.
///
/// Counting goes on beside everything else, one at a time. What is stored meanwhile may be counted twice: the next counting
/// comes too early then, and not too late.
struct FolderUsage {
    /// How much is there at most, in bytes.
    let limit: Int64
    /// What is there; `nil` before it was counted.
    private(set) var byteCount: Int64?
    private var isCounting = false
    private var addedMeanwhile: Int64 = 0

    init(limit: Int64) { self.limit = limit }

    /// Something was stored.
    ///
    /// - Returns: whether to count now.
    mutating func add(_ byteCount: Int64) -> Bool {
        guard !self.isCounting else {
            self.addedMeanwhile += byteCount
            return false
        }
        self.byteCount = self.byteCount.map { $0 + byteCount }
        if let byteCount = self.byteCount, byteCount <= self.limit { return false }
        self.isCounting = true
        return true
    }

    /// Something was deleted.
    mutating func subtract(_ byteCount: Int64) {
        guard !self.isCounting else { return }
        self.byteCount = self.byteCount.map { max(0, $0 - byteCount) }
    }

    /// It was counted, and what was too much deleted.
    ///
    /// - Parameter byteCount: what is left.
    /// - Returns: whether to count again, because of what was stored meanwhile.
    mutating func counted(_ byteCount: Int64) -> Bool {
        self.byteCount = byteCount + self.addedMeanwhile
        self.isCounting = self.addedMeanwhile > 0 && byteCount + self.addedMeanwhile > self.limit
        self.addedMeanwhile = 0
        return self.isCounting
    }
}
