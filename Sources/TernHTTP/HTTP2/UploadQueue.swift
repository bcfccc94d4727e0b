// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Synchronization

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
