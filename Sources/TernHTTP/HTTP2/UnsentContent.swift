// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections

/// The content of a stream that must wait until the windows open, and the wait of a task that wants to add more.
///
/// The session sends the content, so that no task has to run each time that a window opens.
struct UnsentContent {
    /// A wait for room, which the session ends when the unsent content is short enough.
    typealias Wait = Suspension<Result<Void, ConnectionError>>

    /// The pieces, none of them empty.
    private var pieces = Deque<ByteBuffer>()
    /// The length of all pieces, in bytes.
    private(set) var byteCount = 0
    private var wait: Wait?
    /// The length at which the wait ends, in bytes.
    private var awaitedByteCount = 0

    var isEmpty: Bool { self.byteCount == 0 }

    /// The first piece; `nil` if there is none.
    var first: ByteBufferView? { self.pieces.first?.readableBytesView }

    /// Adds content at the end.
    mutating func append(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        self.pieces.append(bytes)
        self.byteCount += bytes.readableBytes
    }

    /// Removes content from the first piece, because it was sent.
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

    /// Takes the wait that must end, because enough was sent; `nil` if there is none.
    mutating func takeEndedWait() -> Wait? { self.byteCount <= self.awaitedByteCount ? self.wait.take() : nil }

    /// Drops the content, because the stream sends nothing more; returns the wait that must fail.
    mutating func removeAll() -> Wait? {
        self.pieces.removeAll()
        self.byteCount = 0
        return self.wait.take()
    }
}
