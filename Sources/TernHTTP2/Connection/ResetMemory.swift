// SPDX-License-Identifier: Apache-2.0

/// The streams that the client has reset most recently.
///
/// The client ignores late frames for these streams: frames that the server sent before it received the reset.
struct ResetMemory: Sendable {
    private let capacity: Int
    private var streams: [HTTP2StreamID] = []
    /// The index of the oldest stream.
    ///
    /// The next reset stream takes this place when `streams` is full.
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func insert(_ stream: HTTP2StreamID) {
        guard self.capacity > 0 else { return }
        guard self.streams.count == self.capacity else { return self.streams.append(stream) }
        self.streams[self.oldest] = stream
        self.oldest = (self.oldest + 1) % self.capacity
    }

    /// Returns whether a stream is one of the streams that the client has reset most recently.
    ///
    /// - Complexity: O(*n*), where *n* is the number of stored streams.
    func contains(_ stream: HTTP2StreamID) -> Bool { self.streams.contains(stream) }
}
