// SPDX-License-Identifier: Apache-2.0

/// Decides whether the thread that brings bytes for a file writes them itself, or leaves them to the file's queue.
///
/// A write to a fast disk takes less time than a change of threads, because the system only copies the bytes. A write to
/// a slow disk blocks its thread, and the threads of Swift concurrency must not all be blocked. So fewer threads than
/// there are processors write at the same time, and after a slow write the next ones are left to the queue.
struct CallerWritesStateMachine: Sendable {
    /// The time after which a write counts as slow, if the thread has waited.
    ///
    /// The system copies the bytes of a write in less than half of this time.
    static let slowDuration = Duration.milliseconds(2)
    private static let (shortestPause, longestPause) = (8, 1024)

    private let maximumCount: Int
    /// The number of threads that write now.
    private var count = 0
    /// The number of writes that are left to the queue in the present pause.
    private var writesLeft = 0
    /// The length of the next pause.
    private var pause = Self.shortestPause

    /// Creates a machine.
    ///
    /// - Parameter processorCount: The number of processors. With one, all writes are left to the queue.
    init(processorCount: Int) { self.maximumCount = processorCount - 1 }

    /// Handles bytes that must be written; returns whether the thread that has brought them writes them.
    mutating func begins() -> Bool {
        guard self.count < self.maximumCount else { return false }
        guard self.writesLeft == 0 else {
            self.writesLeft -= 1
            return false
        }
        self.count += 1
        return true
    }

    /// Records that a thread has written.
    ///
    /// - Parameters:
    ///   - duration: The time that the write took.
    ///   - hasWaited: Whether the thread has given up its processor to wait, for example for the disk. Otherwise the
    ///     time says only that other threads used the processor, too.
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
