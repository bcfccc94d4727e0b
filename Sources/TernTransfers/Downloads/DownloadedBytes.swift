// SPDX-License-Identifier: Apache-2.0

/// The bytes of one representation that are in the partial file, and which of them are safe.
///
/// Bytes that were queued to be written count as those in the file. Bytes are safe after a synchronization of the file's
/// data. More bytes are queued while a synchronization runs, so it covers only those that were queued before it began.
struct DownloadedBytes: Sendable {
    /// The bytes that are in the file.
    private(set) var written: ByteRangeSet
    /// The bytes that are in the file and were synchronized.
    private(set) var safe: ByteRangeSet
    /// The bytes that the synchronization in progress covers; `nil` if none is in progress, or if its end means nothing.
    private var syncing: ByteRangeSet?
    /// The number of bytes queued since the last synchronization began.
    private var unsyncedByteCount: Int64 = 0

    /// Creates the bytes that a file has at first.
    ///
    /// - Parameter safe: The bytes, all of which are safe. Defaults to none.
    init(safe: ByteRangeSet = ByteRangeSet()) {
        self.written = safe
        self.safe = safe
    }

    /// Whether all bytes are safe.
    var areSafe: Bool { self.safe == self.written }

    /// Records that bytes were queued to be written.
    mutating func wrote(_ range: Range<Int64>) {
        self.written.insert(range)
        self.unsyncedByteCount += range.upperBound - range.lowerBound
    }

    /// Forgets the bytes that are not safe.
    ///
    /// A synchronization in progress makes none of them safe.
    mutating func forgetUnsafe() {
        self.written = self.safe
        self.syncing = nil
    }

    // MARK: Synchronizing

    /// Begins a synchronization if it is time, and if none is in progress.
    ///
    /// - Parameters:
    ///   - interval: The number of bytes to queue before a synchronization.
    ///   - isDue: Whether a synchronization is due, whatever the number of bytes.
    /// - Returns: Whether a synchronization begins.
    mutating func beginSynchronization(after interval: Int64, isDue: Bool) -> Bool {
        guard self.syncing == nil, isDue || self.unsyncedByteCount >= interval else { return false }
        self.syncing = self.written
        self.unsyncedByteCount = 0
        return true
    }

    /// Records that the synchronization in progress has succeeded.
    ///
    /// - Returns: The bytes that are safe now; `nil` if the synchronization means nothing.
    mutating func endSynchronization() -> ByteRangeSet? {
        guard let syncing = self.syncing else { return nil }
        self.safe = syncing
        self.syncing = nil
        return syncing
    }

    /// Makes the end of the synchronization in progress mean nothing.
    mutating func abandonSynchronization() { self.syncing = nil }

    /// Records a synchronization beside which no bytes were queued.
    mutating func synchronizedAll() { self.safe = self.written }
}
