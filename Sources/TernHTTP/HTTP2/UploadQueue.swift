// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Synchronization

/// The streams of one connection that have content to send, in fair turns.
///
/// In its turn, a stream sends one piece. Then it goes to the end of the queue, unless its own window has closed or its
/// content is sent. While the window of the connection is closed, all streams wait.
struct UploadQueue {
    private var streams = Deque<HTTP2ExchangeStream>()

    /// Whether no stream waits.
    var isEmpty: Bool { self.streams.isEmpty }

    /// Adds a stream at the end, unless it is in the queue.
    mutating func add(_ stream: HTTP2ExchangeStream) {
        if stream.state.withLock({ $0.joinsQueue() }) { self.streams.append(stream) }
    }

    /// Removes and returns the stream that has the next turn; `nil` if no stream waits.
    mutating func next() -> HTTP2ExchangeStream? {
        guard let stream = self.streams.popFirst() else { return nil }
        stream.state.withLock { $0.leavesQueue() }
        return stream
    }

    /// Removes all streams, because the connection has ended.
    mutating func removeAll() { while self.next() != nil {} }
}
