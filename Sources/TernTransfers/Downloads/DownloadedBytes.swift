// SPDX-License-Identifier: Apache-2.0

/// The bytes of one representation that are in the partial file or queued for it, and which of them are safe.
///
/// A synchronization makes those bytes safe that were queued before it began.
struct DownloadedBytes: Sendable {
    private(set) var written: ByteRangeSet
    /// The bytes that are in the file and were synchronized.
    private(set) var safe: ByteRangeSet
    /// The bytes that the synchronization in progress covers; `nil` if none is in progress, or if its end means nothing.
    private var syncing: ByteRangeSet?
    private var unsyncedByteCount: Int64 = 0

    init(safe: ByteRangeSet = ByteRangeSet()) {
        self.written = safe
        self.safe = safe
    }

    var areSafe: Bool { self.safe == self.written }

    mutating func wrote(_ range: Range<Int64>) {
        self.written.insert(range)
        self.unsyncedByteCount += range.upperBound - range.lowerBound
    }

    /// Forgets the bytes that are not safe; a synchronization in progress makes none of them safe.
    mutating func forgetUnsafe() {
        self.written = self.safe
        self.syncing = nil
    }

    // MARK: Synchronizing

    /// Returns whether a synchronization begins, because so many bytes were queued or it is due, and none is in progress.
    mutating func beginSynchronization(after interval: Int64, isDue: Bool) -> Bool {
        guard self.syncing == nil, isDue || self.unsyncedByteCount >= interval else { return false }
        self.syncing = self.written
        self.unsyncedByteCount = 0
        return true
    }

    /// Returns the bytes that are safe now; `nil` if the synchronization means nothing.
    mutating func endSynchronization() -> ByteRangeSet? {
        guard let syncing = self.syncing else { return nil }
        self.safe = syncing
        self.syncing = nil
        return syncing
    }

    mutating func abandonSynchronization() { self.syncing = nil }

    /// Records a synchronization beside which no bytes were queued.
    mutating func synchronizedAll() { self.safe = self.written }
}
