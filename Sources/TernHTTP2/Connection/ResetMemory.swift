// SPDX-License-Identifier: Apache-2.0

/// The streams that the client reset last, so that what the server sent before it knew is ignored.
struct ResetMemory: Sendable {
    private let capacity: Int
    private var streams: [HTTP2StreamID] = []
    /// Where the oldest one is, once there are as many as are kept.
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func insert(_ stream: HTTP2StreamID) {
        guard self.capacity > 0 else { return }
        guard self.streams.count == self.capacity else { return self.streams.append(stream) }
        self.streams[self.oldest] = stream
        self.oldest = (self.oldest + 1) % self.capacity
    }

    /// - Complexity: O(*n*) in the streams that are kept.
    func contains(_ stream: HTTP2StreamID) -> Bool { self.streams.contains(stream) }
}
