// SPDX-License-Identifier: Apache-2.0

/// Decides which messages to compress, based on how well earlier messages compressed.
///
/// The policy stops compressing when messages do not become shorter, as with images or encrypted data. Then it tries
/// again at growing intervals. It also compresses small messages, because a small message that resembles earlier
/// messages gains most.
package struct CompressionPolicy: Hashable, Sendable {
    private enum State: Hashable {
        /// Messages are compressed, and their lengths are summed up. Exit: `resting`.
        case compressing
        /// The next `remaining` messages are sent without compression. Exit: `probing`.
        case resting(remaining: Int)
        /// The next `remaining` messages are compressed to find out whether compression pays again. Exits:
        /// `compressing`, `resting`.
        case probing(remaining: Int)
    }

    /// The length of the shortest message to compress, in bytes.
    ///
    /// The frame of a shorter message is mostly header.
    static let smallestByteCount = 6
    /// The number of messages to sum up before deciding whether compression pays.
    static let sampleCount = 8
    /// The number of messages to compress in a probe.
    ///
    /// One message is not enough, because the first cannot refer to earlier messages.
    static let probeCount = 3
    /// The number of messages to send without compression before the first probe.
    ///
    /// Each failed probe doubles the number.
    static let firstRestCount = 32
    /// The maximum number of messages to send without compression between two probes.
    static let longestRestCount = 4096

    private var state = State.compressing
    private var restCount = Self.firstRestCount
    private var recordedCount = 0
    private var plainByteCount = 0
    private var compressedByteCount = 0

    /// Creates a policy that has not seen a message yet.
    package init() {}

    /// Returns whether to compress the next message.
    ///
    /// While the policy pauses compression, this method also counts the message toward the pause.
    ///
    /// - Parameter byteCount: The length of the message, in bytes, or `Int.max` if it is not known yet.
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

    /// Whether compression saves at least one byte in 16.
    ///
    /// A smaller gain is not worth the work on both sides.
    private var pays: Bool { self.compressedByteCount <= self.plainByteCount - self.plainByteCount / 16 }

    private mutating func startCounting(_ state: State) {
        self.state = state
        (self.recordedCount, self.plainByteCount, self.compressedByteCount) = (0, 0, 0)
    }
}
