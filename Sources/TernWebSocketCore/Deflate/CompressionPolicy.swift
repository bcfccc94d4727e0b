// SPDX-License-Identifier: Apache-2.0

/// Decides which messages to compress.
///
/// It stops compressing when messages do not shrink, as with images or encrypted data, and tries again now and then, at
/// growing intervals. It has almost no minimum size: small messages that resemble each other gain most from the context
/// of earlier ones.
package struct CompressionPolicy: Hashable, Sendable {
    private enum State: Hashable {
        /// Messages are compressed, and their sizes are summed up. Exit: `resting`.
        case compressing
        /// Messages are not compressed until this number of them has passed. Exit: `probing`.
        case resting(remaining: Int)
        /// Some messages are compressed to find out whether it pays. Exits: `compressing`, `resting`.
        case probing(remaining: Int)
    }

    /// The length below which messages are not compressed, in bytes: most of such a frame is its header.
    static let smallestByteCount = 6
    /// The number of messages to sum up before deciding whether compression pays.
    static let sampleCount = 8
    /// The number of messages to compress in a probe; more than one, because the first lacks the context of earlier
    /// ones.
    static let probeCount = 3
    /// The number of messages between the first stop and its probe.
    ///
    /// Each failed probe doubles it.
    static let firstRestCount = 32
    /// The maximum number of messages between probes.
    static let longestRestCount = 4096

    private var state = State.compressing
    private var restCount = Self.firstRestCount
    private var recordedCount = 0
    private var plainByteCount = 0
    private var compressedByteCount = 0

    /// Creates a policy without any history.
    package init() {}

    /// Returns whether to compress the next message; if not, counts the message as passed.
    ///
    /// - Parameter byteCount: The length of the message, in bytes, as far as it is known.
    /// - Returns: `true` if the message should be compressed. Call ``record(plainByteCount:compressedByteCount:)``
    ///   afterwards.
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

    /// Records the result of compressing a message.
    ///
    /// - Parameters:
    ///   - plainByteCount: The length of the message, in bytes.
    ///   - compressedByteCount: The length of the compressed message, in bytes.
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
