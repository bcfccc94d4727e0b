// SPDX-License-Identifier: Apache-2.0

/// The streams that the client has reset most recently, for which it ignores frames that the server sent before the reset.
struct ResetMemory: Sendable {
    /// The room for resets per open stream: an application may cancel all calls at once, and then as many others, in a round trip.
    private static let openStreamFactor = 2

    private var capacity: Int
    private var streams: [HTTP2StreamID] = []
    private var known: Set<HTTP2StreamID> = []
    /// The index of the oldest stream, whose place the next one takes when `streams` is full.
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds a stream; `openCount` is the number of streams that were open just before the reset.
    mutating func insert(_ stream: HTTP2StreamID, openCount: Int) {
        self.grow(to: openCount * Self.openStreamFactor)
        guard self.capacity > 0 else { return }
        self.known.insert(stream)
        guard self.streams.count == self.capacity else { return self.streams.append(stream) }
        self.known.remove(self.streams[self.oldest])
        self.streams[self.oldest] = stream
        self.oldest = (self.oldest + 1) % self.capacity
    }

    func contains(_ stream: HTTP2StreamID) -> Bool { self.known.contains(stream) }

    /// Makes room for more streams; the oldest is then the first.
    private mutating func grow(to count: Int) {
        guard count > self.capacity else { return }
        self.streams = Array(self.streams[self.oldest...] + self.streams[..<self.oldest])
        self.oldest = 0
        self.capacity = max(count, 2 * self.capacity)
    }
}
