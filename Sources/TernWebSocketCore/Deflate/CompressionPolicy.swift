// SPDX-License-Identifier: Apache-2.0

/// Decides whether to compress a message: yes while messages become shorter; otherwise, it tries again at growing intervals.
package struct CompressionPolicy: Hashable, Sendable {
    private enum State: Hashable {
        /// All but very short messages are compressed, and their lengths are summed up. Ends when compression does not pay.
        case compressing
        case resting(remaining: Int)
        /// The next `remaining` compressed messages show whether compression pays again.
        case probing(remaining: Int)
    }

    static let smallestByteCount = 6
    static let sampleCount = 8
    /// One message is not enough, because the first cannot refer to earlier messages.
    static let probeCount = 3
    /// The messages before the first probe; each failed probe doubles the number.
    static let firstRestCount = 32
    static let longestRestCount = 4096

    private var state = State.compressing
    private var restCount = Self.firstRestCount
    private var recordedCount = 0
    private var plainByteCount = 0
    private var compressedByteCount = 0

    package init() {}

    /// Returns whether to compress a message, and counts it if compression pauses; `byteCount` is `Int.max` if it is unknown.
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

    /// Whether compression saves a byte in 16; a smaller gain is not worth the work on both sides.
    private var pays: Bool { self.compressedByteCount <= self.plainByteCount - self.plainByteCount / 16 }

    private mutating func startCounting(_ state: State) {
        self.state = state
        (self.recordedCount, self.plainByteCount, self.compressedByteCount) = (0, 0, 0)
    }
}
