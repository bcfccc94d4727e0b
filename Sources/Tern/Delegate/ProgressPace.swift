// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides which progress of a body is worth a report to the delegates.
///
/// Each report wakes a task. On a fast line, a piece arrives every few microseconds; when each of them was reported, the
/// reports took a third of the processor time of a download.
struct ProgressPace: Sendable {
    /// The number of reports at the beginning of a body that need no pause.
    ///
    /// So the progress of a short body is reported piece by piece.
    static let unpacedCount = 16
    /// The shortest time between two later reports.
    ///
    /// It is shorter than the time for which a display shows one picture.
    static let pause = Duration.milliseconds(10)

    private var count = 0
    private var nextReport: ClockInstant?
    /// The latest progress, if it was not reported.
    private var waiting: TransferProgress?

    /// Returns whether to report the progress now.
    ///
    /// The end of a body whose length is known is always reported. Other progress that is not reported waits, until newer
    /// progress replaces it or the call ends.
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

    /// Returns the latest progress if it was not reported, and counts it as reported.
    mutating func takeWaiting() -> TransferProgress? { self.waiting.take() }
}

/// The paces of both bodies of a call.
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
