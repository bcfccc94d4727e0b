// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernTesting
import Testing

@testable import Tern

@Suite("Delegates: the pace of progress")
struct ProgressPaceTests {
    private let start = ManualClock().now

    private func progress(_ byteCount: Int64, of total: Int64? = nil) -> TransferProgress {
        TransferProgress(byteCount: byteCount, totalByteCount: total)
    }

    /// A pace that has reported its first pieces.
    private func busyPace() -> ProgressPace {
        var pace = ProgressPace()
        for number in 1...ProgressPace.unpacedCount { _ = pace.admits(self.progress(Int64(number)), at: self.start) }
        return pace
    }

    @Test func `the first pieces are reported one by one`() {
        var pace = ProgressPace()
        let admitted = (1...20).map { pace.admits(self.progress($0), at: self.start) }
        #expect(admitted == [Bool](repeating: true, count: 16) + [false, false, false, false])
        let rests = [pace.takeWaiting(), pace.takeWaiting()]
        #expect(rests == [self.progress(20), nil])
    }

    @Test func `later pieces are reported after a pause`() {
        var pace = self.busyPace()
        let times = [9_999, 10_000, 10_001, 19_999, 20_000].map { self.start.advanced(by: .microseconds($0)) }
        let admitted = times.map { pace.admits(self.progress(100), at: $0) }
        #expect(admitted == [false, true, false, false, true])
    }

    @Test func `a report replaces progress that waits`() {
        var pace = self.busyPace()
        let isReported = [
            pace.admits(self.progress(100), at: self.start),
            pace.admits(self.progress(200), at: self.start.advanced(by: ProgressPace.pause)),
        ]
        let rest = pace.takeWaiting()
        #expect(isReported == [false, true])
        #expect(rest == nil)
    }

    @Test func `the end of a body of known length is always reported`() {
        var pace = self.busyPace()
        let isReported = [
            pace.admits(self.progress(99, of: 100), at: self.start),
            pace.admits(self.progress(100, of: 100), at: self.start),
        ]
        let rest = pace.takeWaiting()
        #expect(isReported == [false, true])
        #expect(rest == nil)
    }
}
