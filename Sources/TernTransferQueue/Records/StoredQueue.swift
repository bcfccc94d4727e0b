// SPDX-License-Identifier: Apache-2.0
import TernTransfers

struct StoredQueue: Hashable, Sendable {
    static let version = 1

    /// A lower bound of the next number, which changes only when the transfer with the highest number is removed.
    var next: Int64 = 1
    var isPaused = false

    private static let format = RecordFormat<StoredContent>(magic: "tern-transfer-queue", version: Self.version)

    var encoded: [UInt8] { Self.format.encode(self) }

    init() {}

    init(decoding bytes: [UInt8]) throws(RecordProblem) { self = try Self.format.decode(bytes) }
}

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
