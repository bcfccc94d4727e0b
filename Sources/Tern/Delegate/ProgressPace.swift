// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides which progress of a body is worth a report to the delegates, because each report wakes a task.
struct ProgressPace: Sendable {
    /// The number of reports at the beginning that need no pause, so that a short body is reported piece by piece.
    static let unpacedCount = 16
    /// The shortest time between two later reports, shorter than a display shows one picture.
    static let pause = Duration.milliseconds(10)

    private var count = 0
    private var nextReport: ClockInstant?
    private var waiting: TransferProgress?

    /// Returns whether to report the progress now, as always at the end of a body with a known length; otherwise it waits.
    mutating func admits(_ progress: TransferProgress, at now: ClockInstant) -> Bool {
        let isEnd = progress.byteCount == progress.totalByteCount
        if !isEnd, self.count >= Self.unpacedCount, let nextReport = self.nextReport, now < nextReport {
            self.waiting = progress
            return false
        }
        self.waiting = nil
        self.count += 1
        self.nextReport = now.advanced(by: Self.pause)
        return true
    }

    mutating func takeWaiting() -> TransferProgress? { self.waiting.take() }
}

struct ProgressPaces: Sendable {
    private var (sent, received) = (ProgressPace(), ProgressPace())

    subscript(direction: TaskDelegation.Direction) -> ProgressPace {
        get {
            switch direction {
            case .sent: self.sent
            case .received: self.received
            }
        }
        set {
            switch direction {
            case .sent: self.sent = newValue
            case .received: self.received = newValue
            }
        }
    }
}
