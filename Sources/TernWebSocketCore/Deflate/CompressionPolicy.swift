// SPDX-License-Identifier: Apache-2.0

/// Decides which messages to compress.
///
/// It learns: it stops compressing what does not shrink, such as images or what was encrypted, and
/// tries again now and then, at growing intervals. It asks for no minimum size worth mentioning, for small messages that
/// resemble each other gain most by the context of those before.
package struct CompressionPolicy: Hashable, Sendable {
    private enum State: Hashable {
        /// Messages are compressed, and what came of the last ones is summed up. Exit: `resting`.
        case compressing
        /// Messages are not compressed until as many have passed. Exit: `probing`.
        case resting(remaining: Int)
        /// Some messages are compressed to see whether it pays. Exits: `compressing`, `resting`.
        case probing(remaining: Int)
    }

    /// Messages shorter than this, in bytes, are not compressed: the frame is most of them.
    static let smallestByteCount = 6
    /// How many messages are summed up before it is judged whether compression pays.
    static let sampleCount = 8
    /// How many messages are compressed for a probe; more than one, for the first lacks the context of those before.
    static let probeCount = 3
    /// How many messages pass between the first stop and its probe; each probe that fails doubles it.
    static let firstRestCount = 32
    /// How many messages pass between probes at most.
    static let longestRestCount = 4096

    private var state = State.compressing
    private var restCount = Self.firstRestCount
    private var recordedCount = 0
    private var plainByteCount = 0
    private var compressedByteCount = 0

    /// Creates a policy that has learnt nothing.
    package init() {}

    /// Whether to compress the next message; counts it as passed if not.
    ///
    /// - Parameter byteCount: the length of the message, in bytes, or of what is known of it.
    /// - Returns: `true` if it should be compressed; then ``record(plainByteCount:compressedByteCount:)`` must follow.
    package mutating func shouldCompress(byteCount: Int) -> Bool {
        guard byteCount >= Self.smallestByteCount else { return false }
        switch self.state {
        case .compressing, .probing: return true
        case .resting(let remaining):
            if remaining > 1 {
                self.state = .resting(remaining: remaining - 1)
            } else {
                self.startCounting(.probing(remaining: Self.probeCount))
            }
            return false
        }
    }

    /// A message was compressed.
    ///
    /// - Parameters:
    ///   - plainByteCount: how long it was, in bytes.
    ///   - compressedByteCount: how long it became, in bytes.
    package mutating func record(plainByteCount: Int, compressedByteCount: Int) {
        self.recordedCount += 1
        self.plainByteCount += plainByteCount
        self.compressedByteCount += compressedByteCount
        switch self.state {
        case .resting: break
        case .probing(let remaining):
            guard remaining == 1 else {
                self.state = .probing(remaining: remaining - 1)
                return
            }
            guard self.pays else {
                self.restCount = min(self.restCount * 2, Self.longestRestCount)
                self.state = .resting(remaining: self.restCount)
                return
            }
            self.restCount = Self.firstRestCount
            self.startCounting(.compressing)
        case .compressing:
            guard self.recordedCount >= Self.sampleCount else { return }
            self.startCounting(self.pays ? .compressing : .resting(remaining: self.restCount))
        }
    }

    /// Whether at least one byte in 16 is saved; less is not worth the work on both sides.
    private var pays: Bool { self.compressedByteCount <= self.plainByteCount - self.plainByteCount / 16 }

    private mutating func startCounting(_ state: State) {
        self.state = state
        (self.recordedCount, self.plainByteCount, self.compressedByteCount) = (0, 0, 0)
    }
}
