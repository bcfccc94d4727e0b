// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// A date in the format of HTTP fields, with a resolution of one second (RFC 9110 §5.6.7).
///
/// The type reads only the three formats that a recipient must accept. Dates in cookies follow other rules (RFC 6265bis §5.1.1).
///
/// - `Sun, 06 Nov 1994 08:49:37 GMT`
/// - `Sunday, 06-Nov-94 08:49:37 GMT`
/// - `Sun Nov  6 08:49:37 1994`, with two spaces before a day of one digit
public struct HTTPDate: Hashable, Comparable, Sendable {
    /// The number of seconds since the beginning of 1970, UTC, without leap seconds.
    public var secondsSince1970: Int64

    /// Creates a date from the number of seconds since the beginning of 1970, UTC.
    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// Creates a date from the value of a field; `nil` for another format, or an impossible day of the month or time of day.
    ///
    /// - Parameters:
    ///   - text: A date in one of the three formats.
    ///   - now: The current time, which decides the century of a year with two digits: a date that "appears to be more than 50
    ///     years in the future" counts as a date in the past (RFC 9110 §5.6.7).
    public init?(_ text: String, now: HTTPDate) {
        let bytes = Array(text.utf8.prefix(Form.maximumByteCount + 1))
        guard let form = Form(bytes) else { return nil }
        self.init(form, bytes, now)
    }

    private init?(_ form: Form, _ bytes: [UInt8], _ now: HTTPDate) {
        guard let month = Calendar.months.firstIndex(of: bytes[form.month..<form.month + 3].map { $0 }),
            let monthDay = Self.number(bytes, at: form.day, form.dayMayBeShort),
            let hour = Self.number(bytes, at: form.time), let minute = Self.number(bytes, at: form.time + 3),
            let clockSecond = Self.number(bytes, at: form.time + 6),
            let ending = Self.number(bytes, at: form.yearEnding),
            bytes[form.time + 2] == UInt8(ascii: ":"), bytes[form.time + 5] == UInt8(ascii: ":"),
            hour < 24, minute < 60, clockSecond <= 60  // 60 is a leap second
        else { return nil }
        var year = ending
        if let century = form.century {
            guard let century = Self.number(bytes, at: century) else { return nil }
            year += century * 100
        } else {
            // "Recipients of a timestamp value in rfc850-date format, which uses a two-digit year, MUST interpret a
            // timestamp that appears to be more than 50 years in the future as representing the most recent year in the
            // past that had the same last two digits" (RFC 9110 §5.6.7). Take the latest such date that is at most 50
            // years after now.
            let (day, second) = min(max(now.secondsSince1970, 0), Calendar.lastSecond)
                .quotientAndRemainder(dividingBy: Calendar.secondsPerDay)
            let present = Calendar.date(ofDay: day)
            let last = present.year + 50
            year += last - last % 100
            let isLater =
                (year, Int64(month + 1), monthDay, hour * 3_600 + minute * 60 + clockSecond)
                > (last, Int64(present.month), present.day, second)
            if isLater { year -= 100 }
        }
        guard let dayNumber = Calendar.day(year, month + 1, monthDay) else { return nil }
        self.init(secondsSince1970: dayNumber * Calendar.secondsPerDay + hour * 3_600 + minute * 60 + clockSecond)
    }

    /// Returns a number of two digits; `mayBeShort` allows a space in place of the first, as for a day before the tenth.
    private static func number(_ bytes: [UInt8], at index: Int, _ mayBeShort: Bool = false) -> Int64? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let (tens, ones) = (bytes[index], bytes[index + 1])
        guard digits.contains(ones) else { return nil }
        if mayBeShort, tens == UInt8(ascii: " ") { return Int64(ones - digits.lowerBound) }
        guard digits.contains(tens) else { return nil }
        return Int64(tens - digits.lowerBound) * 10 + Int64(ones - digits.lowerBound)
    }

    public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}

extension HTTPDate: CustomStringConvertible, Described {
    /// The date in the format that a sender must use (RFC 9110 §5.6.7), limited to the years 0 to 9999.
    package var wording: String {
        let seconds = min(max(self.secondsSince1970, Calendar.firstSecond), Calendar.lastSecond)
        let (day, second) = seconds.quotientAndRemainderRoundedDown(by: Calendar.secondsPerDay)
        let (year, month, monthDay) = Calendar.date(ofDay: day)
        let weekday = Int((day + 4).quotientAndRemainderRoundedDown(by: 7).1)  // 1970 began on a Thursday
        let name = String(decoding: Calendar.weekdays[weekday].prefix(3), as: UTF8.self)
        let monthName = String(decoding: Calendar.months[month - 1], as: UTF8.self)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(name), \(Self.padded(monthDay, 2)) \(monthName) \(Self.padded(year, 4)) \(time) GMT"
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

private struct Form {
    static let maximumByteCount = 34

    var day: Int
    var dayMayBeShort = false
    var month: Int
    var century: Int?
    var yearEnding: Int
    var time: Int

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }) else {
            return nil
        }
        let name = Array(bytes[..<end])
        guard Calendar.weekdays.contains(where: { $0 == name || Array($0.prefix(3)) == name }) else { return nil }
        let pattern: String
        switch (bytes[end], end == 3) {
        case (UInt8(ascii: ","), true):
            pattern = ", .. ... .... ..:..:.. GMT"
            (self.day, self.month, self.century, self.yearEnding, self.time) = (5, 8, 12, 14, 17)
        case (UInt8(ascii: ","), false):
            pattern = ", ..-...-.. ..:..:.. GMT"
            (self.day, self.month, self.yearEnding, self.time) = (end + 2, end + 5, end + 9, end + 12)
        case (_, true):
            pattern = " ... .. ..:..:.. ...."
            (self.month, self.day, self.time, self.century, self.yearEnding) = (4, 8, 11, 20, 22)
            self.dayMayBeShort = true
        case (_, false):
            return nil
        }
        let rest = bytes[end...]
        guard rest.count == pattern.utf8.count,
            zip(rest, pattern.utf8).allSatisfy({ $1 == UInt8(ascii: ".") || $0 == $1 })
        else { return nil }
    }
}

private enum Calendar {
    static let secondsPerDay: Int64 = 86_400
    static let firstSecond: Int64 = -62_167_219_200
    static let lastSecond: Int64 = 253_402_300_799
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].map {
        Array($0.utf8)
    }
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].map {
        Array($0.utf8)
    }

    static func day(_ year: Int64, _ month: Int, _ day: Int64) -> Int64? {
        let number = self.first(of: month, year) + day - 1
        guard day >= 1, number < (month == 12 ? self.first(of: 1, year + 1) : self.first(of: month + 1, year)) else {
            return nil
        }
        return number
    }

    static func date(ofDay number: Int64) -> (year: Int64, month: Int, day: Int64) {
        // Days are counted from 0000-03-01, in eras of 400 years.
        let (era, dayOfEra) = (number + 719_468).quotientAndRemainderRoundedDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthsSinceMarch = (5 * dayOfYear + 2) / 153
        let month = Int(monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9)
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1)
    }

    /// Returns the number of days from 1970 to the start of a month; years start in March, so that a leap day comes last.
    private static func first(of month: Int, _ year: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthsSinceMarch = Int64((month + 9) % 12)
        let (era, yearOfEra) = shifted.quotientAndRemainderRoundedDown(by: 400)
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5
        let daysBeforeEra: Int64 = 719_468  // from 0000-03-01 to 1970-01-01
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysBeforeEra
    }
}

extension Int64 {
    fileprivate func quotientAndRemainderRoundedDown(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = self.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
