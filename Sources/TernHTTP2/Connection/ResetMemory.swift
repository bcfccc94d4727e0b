// SPDX-License-Identifier: Apache-2.0

/// The streams that the client has reset most recently.
///
/// The client ignores late frames for these streams: frames that the server sent before it received the reset.
struct ResetMemory: Sendable {
    /// The number of streams that the memory has room for, divided by the number that were open at the same time.
    ///
    /// An application may cancel all calls of a connection at once, begin as many others, and cancel these, too, before
    /// the server has received the first resets.
    private static let openStreamFactor = 2

    private var capacity: Int
    private var streams: [HTTP2StreamID] = []
    private var known: Set<HTTP2StreamID> = []
    /// The index of the oldest stream.
    ///
    /// The next reset stream takes this place when `streams` is full.
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds a stream, in place of the oldest one if the memory is full.
    ///
    /// - Parameters:
    ///   - stream: A stream that is not stored.
    ///   - openCount: The number of streams that were open just before the reset.
    mutating func insert(_ stream: HTTP2StreamID, openCount: Int) {
        self.grow(to: openCount * Self.openStreamFactor)
        guard self.capacity > 0 else { return }
        self.known.insert(stream)
        guard self.streams.count == self.capacity else { return self.streams.append(stream) }
        self.known.remove(self.streams[self.oldest])
        self.streams[self.oldest] = stream
        self.oldest = (self.oldest + 1) % self.capacity
    }

    /// Returns whether a stream is one of the streams that the client has reset most recently.
    func contains(_ stream: HTTP2StreamID) -> Bool { self.known.contains(stream) }

    /// Makes room for more streams; the oldest is then the first.
    private mutating func grow(to count: Int) {
        guard count > self.capacity else { return }
        self.streams = Array(self.streams[self.oldest...] + self.streams[..<self.oldest])
        self.oldest = 0
        self.capacity = max(count, 2 * self.capacity)
    }
}
