// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections

/// The content of a stream that waits until the windows open, and the wait of a task that wants to add more.
struct UnsentContent {
    typealias Wait = Suspension<Result<Void, ConnectionError>>

    private var pieces = Deque<ByteBuffer>()
    private(set) var byteCount = 0
    private var wait: Wait?
    /// The length at which the wait ends, in bytes.
    private var awaitedByteCount = 0

    var isEmpty: Bool { self.byteCount == 0 }

    var first: ByteBufferView? { self.pieces.first?.readableBytesView }

    mutating func append(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        self.pieces.append(bytes)
        self.byteCount += bytes.readableBytes
    }

    mutating func removeFirst(_ byteCount: Int) {
        guard var first = self.pieces.popFirst() else { return }
        first.moveReaderIndex(forwardBy: byteCount)
        self.byteCount -= byteCount
        if first.readableBytes > 0 { self.pieces.prepend(first) }
    }

    /// Returns a wait that ends when at most `maximumByteCount` bytes are unsent; `nil` if that is already the case.
    mutating func wait(until maximumByteCount: Int) -> Wait? {
        guard self.byteCount > maximumByteCount else { return nil }
        let wait = Wait()
        (self.wait, self.awaitedByteCount) = (wait, maximumByteCount)
        return wait
    }

    mutating func takeEndedWait() -> Wait? { self.byteCount <= self.awaitedByteCount ? self.wait.take() : nil }

    /// Drops the content, because the stream sends nothing more; returns the wait that must fail.
    mutating func removeAll() -> Wait? {
        self.pieces.removeAll()
        self.byteCount = 0
        return self.wait.take()
    }
}

/// The streams of one connection that have content to send, in fair turns of one piece each.
struct UploadQueue {
    private var streams = Deque<HTTP2ExchangeStream>()

    var isEmpty: Bool { self.streams.isEmpty }

    mutating func add(_ stream: HTTP2ExchangeStream) {
        if stream.state.withLock({ $0.joinsQueue() }) { self.streams.append(stream) }
    }

    mutating func next() -> HTTP2ExchangeStream? {
        guard let stream = self.streams.popFirst() else { return nil }
        stream.state.withLock { $0.leavesQueue() }
        return stream
    }

    mutating func removeAll() { while self.next() != nil {} }
}
