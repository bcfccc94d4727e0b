// SPDX-License-Identifier: Apache-2.0

/// A date of the Gregorian calendar with the time of the day, without a time zone.
struct CivilDate: Hashable, Sendable {
    var year: Int64
    /// The month, from 1.
    var month: Int64
    /// The day of the month, from 1.
    var day: Int64
    /// The milliseconds since midnight.
    var timeOfDay: Int64

    static let millisecondsPerDay: Int64 = 86_400_000

    /// Creates the date and the time that are this many milliseconds after 1970-01-01.
    init(_ milliseconds: Int64) {
        let (days, time) = Self.divided(milliseconds, by: Self.millisecondsPerDay)
        // Count from 0000-03-01, so that the leap day is the last day of a year, and in eras of 400 years.
        let (era, dayOfEra) = Self.divided(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        self.month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
        self.timeOfDay = time
    }

    /// The milliseconds since 1970-01-01.
    var milliseconds: Int64 { self.days * Self.millisecondsPerDay + self.timeOfDay }

    /// The days since 1970-01-01.
    private var days: Int64 {
        let marchYear = self.month <= 2 ? self.year - 1 : self.year
        let (era, yearOfEra) = Self.divided(marchYear, by: 400)
        let marchMonth = self.month > 2 ? self.month - 3 : self.month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + self.day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of the week, from 0 for Sunday.
    var weekday: Int { Int(Self.divided(self.days + 4, by: 7).rest) }

    /// Returns the same day of another month, or its last day if that month is shorter.
    func adding(months count: Int64) -> CivilDate {
        var copy = self
        let (years, month) = Self.divided(self.year * 12 + self.month - 1 + count, by: 12)
        (copy.year, copy.month) = (years, month + 1)
        let isLeap = years % 4 == 0 && (years % 100 != 0 || years % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        copy.day = min(self.day, lengths[Int(month)])
        return copy
    }

    /// Divides, and rounds down, so that the rest is never negative.
    private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
