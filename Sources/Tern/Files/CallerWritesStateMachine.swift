// SPDX-License-Identifier: Apache-2.0

/// Decides whether the thread that brings bytes for a file writes them itself, or leaves them to the file's queue.
///
/// A write to a fast disk takes less time than a change of threads. A slow disk blocks its thread, so fewer threads than there
/// are processors write at the same time, and after a slow write the next ones are left to the queue.
struct CallerWritesStateMachine: Sendable {
    /// The time after which a write counts as slow, if the thread has waited: more than twice what copying takes.
    static let slowDuration = Duration.milliseconds(2)
    private static let (shortestPause, longestPause) = (8, 1024)

    private let maximumCount: Int
    private var count = 0
    /// The number of writes that are left to the queue in the present pause.
    private var writesLeft = 0
    private var pause = Self.shortestPause

    /// Creates a machine; with one processor, all writes are left to the queue.
    init(processorCount: Int) { self.maximumCount = processorCount - 1 }

    /// Returns whether the thread that has brought bytes writes them.
    mutating func begins() -> Bool {
        guard self.count < self.maximumCount else { return false }
        guard self.writesLeft == 0 else {
            self.writesLeft -= 1
            return false
        }
        self.count += 1
        return true
    }

    /// Records that a thread has written, and whether it waited, for example for the disk, rather than lost its processor.
    mutating func ended(after duration: Duration, hasWaited: Bool) {
        self.count -= 1
        guard hasWaited, duration >= Self.slowDuration else {
            self.pause = Self.shortestPause
            return
        }
        self.writesLeft = self.pause
        self.pause = min(self.pause * 2, Self.longestPause)
    }
}
