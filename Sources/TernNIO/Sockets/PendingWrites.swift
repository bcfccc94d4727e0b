// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernCLibrary

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

    var first: IOData? { self.flushedCount > 0 ? self.writes.first?.data : nil }

    /// The maximum number of writes that one system call sends.
    private static let maximumGatheredCount = 64

    /// Calls `body` with the sendable buffers before the first file, at most 64; only if ``beginsWithSeveralBuffers``.
    func withGatheredBytes<Result>(_ body: (UnsafeMutableBufferPointer<iovec>) -> Result) -> Result {
        var vectors: [iovec] = []
        var storages: [Unmanaged<AnyObject>] = []
        for write in self.writes.prefix(min(self.flushedCount, Self.maximumGatheredCount)) {
            guard case .byteBuffer(let bytes) = write.data else { break }
            bytes.withUnsafeReadableBytesWithStorageManagement { pointer, storage in
                storages.append(storage.retain())  // keeps the bytes where they are until the end of this method
                vectors.append(
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: pointer.baseAddress), iov_len: pointer.count)
                )
            }
        }
        defer { for storage in storages { storage.release() } }
        return vectors.withUnsafeMutableBufferPointer { body($0) }
    }

    /// Whether the first two writes that may be sent are bytes.
    var beginsWithSeveralBuffers: Bool {
        guard self.flushedCount > 1, case .byteBuffer = self.writes[0].data, case .byteBuffer = self.writes[1].data
        else {
            return false
        }
        return true
    }

    mutating func sent(_ count: Int) {
        var count = count
        while let length = self.first?.readableBytes {
            let part = min(count, length)
            self.sentFromFirst(part)?.succeed()
            count -= part
            if count == 0 { return }
        }
    }

    private mutating func sentFromFirst(_ count: Int) -> EventLoopPromise<Void>? {
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

    mutating func removeAll(_ failure: any Error) {
        let writes = self.writes
        self = PendingWrites()
        for write in writes { write.promise?.fail(failure) }
    }
}
