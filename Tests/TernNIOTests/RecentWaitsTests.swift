// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TestSupport
import Testing

@testable import TernNIO

@Suite("How many readers have begun to wait recently")
struct RecentWaitsTests {
    private let waits = RecentWaits()

    private func begin(atMicroseconds microseconds: Int64) -> (wait: ReaderWait, otherCount: Int) {
        self.waits.begin(at: ClockInstant(nanoseconds: microseconds * 1000))
    }

    @Test func `each wait counts for the others until it ends`() {
        let first = self.begin(atMicroseconds: 10)
        let second = self.begin(atMicroseconds: 20)
        #expect(first.otherCount == 0 && second.otherCount == 1)
        #expect(self.begin(atMicroseconds: 30).otherCount == 2)
        self.waits.end(first.wait)
        self.waits.end(second.wait)
        #expect(self.begin(atMicroseconds: 40).otherCount == 1)
    }

    @Test func `a wait counts in the next period, too, and no longer`() {
        _ = self.begin(atMicroseconds: 500)
        #expect(self.begin(atMicroseconds: 1500).otherCount == 1)
        #expect(self.begin(atMicroseconds: 2500).otherCount == 1, "the second wait")
        #expect(self.begin(atMicroseconds: 60_000).otherCount == 0)
    }

    @Test func `the end of an old wait changes nothing`() {
        let old = self.begin(atMicroseconds: 0).wait
        _ = self.begin(atMicroseconds: 2200)  // uses the same counter
        self.waits.end(old)
        #expect(self.begin(atMicroseconds: 2300).otherCount == 1)
    }

    @Test func `no wait of many threads is lost`() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { self.waits.end(self.begin(atMicroseconds: 0).wait) }
                    _ = self.begin(atMicroseconds: 0)
                }
            }
        }
        #expect(self.begin(atMicroseconds: 1).otherCount == 8)
    }
}
