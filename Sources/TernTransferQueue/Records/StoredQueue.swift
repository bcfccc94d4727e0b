// SPDX-License-Identifier: Apache-2.0
import TernTransfers

/// The state of the queue itself, in the form in which it is on the disk.
struct StoredQueue: Hashable, Sendable {
    /// The version of the format.
    static let version = 1

    /// A number that is greater than each number of a transfer that was removed.
    ///
    /// Together with the names of the files, it says which numbers were used. So it is written only when the transfer
    /// with the highest number is removed.
    var next: Int64 = 1
    /// Whether all transfers are paused.
    var isPaused = false

    private static let format = RecordFormat<StoredContent>(magic: "tern-transfer-queue", version: Self.version)

    /// The state as bytes.
    var encoded: [UInt8] { Self.format.encode(self) }

    /// Creates the state of a new queue.
    init() {}

    /// Creates a state from the bytes of a file.
    ///
    /// - Parameter bytes: The bytes of the file, at most `RecordProblem.maximumByteCount` + 1.
    /// - Throws: `RecordProblem`.
    init(decoding bytes: [UInt8]) throws(RecordProblem) { self = try Self.format.decode(bytes) }
}

/// The content of the state as JSON.
private struct StoredContent: RecordContent {
    private var next: Int64
    private var paused: Bool

    init(_ queue: StoredQueue) { (self.next, self.paused) = (queue.next, queue.isPaused) }

    var record: StoredQueue? {
        guard 1...TransferID.maximum + 1 ~= self.next else { return nil }
        var queue = StoredQueue()
        (queue.next, queue.isPaused) = (self.next, self.paused)
        return queue
    }
}
