// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore

/// The bytes and files that were written to a channel, and that the socket has not taken yet.
struct PendingWrites {
    private var writes = Deque<(data: IOData, promise: EventLoopPromise<Void>?)>()
    /// The number of writes that may be sent.
    private(set) var flushedCount = 0
    private(set) var byteCount = 0

    mutating func append(_ data: IOData, _ promise: EventLoopPromise<Void>?) {
        self.writes.append((data, promise))
        self.byteCount += data.readableBytes
    }

    mutating func flush() { self.flushedCount = self.writes.count }

    /// The first write that may be sent.
    var first: IOData? { self.flushedCount > 0 ? self.writes.first?.data : nil }

    /// Removes bytes that the socket has taken from the first write.
    ///
    /// - Returns: The promise of the write, if the socket has taken all of it.
    mutating func sent(_ count: Int) -> EventLoopPromise<Void>? {
        guard var write = self.writes.popFirst() else { return nil }
        self.byteCount -= count
        switch write.data {
        case .byteBuffer(var bytes):
            bytes.moveReaderIndex(forwardBy: count)
            write.data = .byteBuffer(bytes)
        case .fileRegion(var region):
            region.moveReaderIndex(forwardBy: count)
            write.data = .fileRegion(region)
        }
        guard write.data.readableBytes == 0 else {
            self.writes.prepend(write)
            return nil
        }
        self.flushedCount -= 1
        return write.promise
    }

    /// Removes all writes.
    mutating func removeAll(_ failure: any Error) {
        let writes = self.writes
        self = PendingWrites()
        for write in writes { write.promise?.fail(failure) }
    }
}
