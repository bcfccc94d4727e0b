// SPDX-License-Identifier: Apache-2.0

/// A number of units of time to add to a time, such as `-3 h`.
package struct TimeOffset: Hashable, Sendable {
    enum Unit: String, Sendable {
        case year = "y"
        case month = "M"
        case week = "w"
        case day = "d"
        case hour = "h"
        case minute = "m"
        case second = "s"
        case millisecond = "ms"
    }

    private let count: Int64
    private let unit: Unit

    /// Keeps the arithmetic far from overflow.
    private static let maximumCount: Int64 = 1_000_000

    init() {
        self.count = 0
        self.unit = .second
    }

    /// Parses the offset at the end of an expression, which may be missing; `nil` for words other than a number and a unit.
    init?(_ words: inout Words) {
        guard let number = words.next() else {
            self.count = 0
            self.unit = .second
            return
        }
        guard let count = Int64(number), -Self.maximumCount...Self.maximumCount ~= count,
            let unit = words.next().flatMap({ Unit(rawValue: String($0)) })
        else { return nil }
        self.count = count
        self.unit = unit
    }

    /// Adds the offset to a time in milliseconds since 1970.
    func applied(to time: Int64) -> Int64 {
        switch self.unit {
        case .millisecond: time + self.count
        case .second: time + self.count * 1000
        case .minute: time + self.count * 60_000
        case .hour: time + self.count * 3_600_000
        case .day: time + self.count * CivilDate.millisecondsPerDay
        case .week: time + self.count * 7 * CivilDate.millisecondsPerDay
        case .month: CivilDate(time).adding(months: self.count).milliseconds
        case .year: CivilDate(time).adding(months: self.count * 12).milliseconds
        }
    }
}
