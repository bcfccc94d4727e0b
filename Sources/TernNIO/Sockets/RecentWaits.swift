// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// Counts the readers that began to wait in the last one to two milliseconds and still wait, and so may need a thread soon.
final class RecentWaits: Sendable {
    /// A period is 2 to this power of nanoseconds, about a millisecond.
    private static let periodBits: UInt64 = 20

    /// The bits for the count in a packed value; the rest is the number of the period.
    private static let countBits: UInt64 = 24

    // A period and its count of waiting readers, packed into one number.
    private let even = Atomic<UInt64>(0)
    private let odd = Atomic<UInt64>(0)

    /// Counts a reader that begins to wait, and returns the number of other such readers.
    func begin(at now: ClockInstant) -> (wait: ReaderWait, otherCount: Int) {
        let period = UInt64(bitPattern: now.nanoseconds) >> Self.periodBits
        let count = self.count(in: period &- 1) + self.count(in: period)
        self.update(period) { packed in
            packed >> Self.countBits == period ? packed + 1 : period << Self.countBits | 1
        }
        return (ReaderWait(period: period), count)
    }

    func end(_ wait: ReaderWait) {
        self.update(wait.period) { packed in
            packed >> Self.countBits == wait.period && Self.count(packed) > 0 ? packed - 1 : packed
        }
    }

    private static func count(_ packed: UInt64) -> Int { Int(packed & ((1 << Self.countBits) - 1)) }

    private func count(in period: UInt64) -> Int {
        let packed = period & 1 == 0 ? self.even.load(ordering: .relaxed) : self.odd.load(ordering: .relaxed)
        return packed >> Self.countBits == period ? Self.count(packed) : 0
    }

    private func update(_ period: UInt64, _ change: (UInt64) -> UInt64) {
        if period & 1 == 0 { Self.update(self.even, change) } else { Self.update(self.odd, change) }
    }

    private static func update(_ slot: borrowing Atomic<UInt64>, _ change: (UInt64) -> UInt64) {
        var packed = slot.load(ordering: .relaxed)
        while true {
            let result = slot.weakCompareExchange(expected: packed, desired: change(packed), ordering: .relaxed)
            if result.exchanged { return }
            packed = result.original
        }
    }
}
