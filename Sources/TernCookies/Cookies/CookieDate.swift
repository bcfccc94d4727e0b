// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// Parses the date of an `Expires` attribute with the algorithm of RFC 6265bis §5.1.1.
///
/// Servers write dates in many formats, so the algorithm looks for parts that can be a time, a day, a month and a year.
enum CookieDate {
    static func parse(_ bytes: borrowing Span<UInt8>) -> Date? {
        var found = Found()
        var index = 0
        while index < bytes.count {
            while index < bytes.count, Self.isDelimiter(bytes[index]) { index += 1 }
            let start = index
            while index < bytes.count, !Self.isDelimiter(bytes[index]) { index += 1 }
            if index > start { found.take(bytes.extracting(start..<index)) }
        }
        return found.date
    }

    /// The rule `delimiter = %x09 / %x20-2F / %x3B-40 / %x5B-60 / %x7B-7E`.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}

private struct Found {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Uses a token for the first missing part that the token fits, in the order time, day, month, year.
    mutating func take(_ token: borrowing Span<UInt8>) {
        if self.time == nil, let time = Self.time(token) {
            self.time = time
        } else if self.day == nil, let day = Self.number(token, digits: 1...2) {
            self.day = day
        } else if self.month == nil, let month = Self.month(token) {
            self.month = month
        } else if self.year == nil, let year = Self.number(token, digits: 2...4) {
            self.year = year
        }
    }

    var date: Date? {
        guard let time, let day, let month, var year else { return nil }
        switch year {
        case 70...99: year += 1900
        case 0...69: year += 2000
        default: break
        }
        // "if the day-of-month-value is less than 1 or greater than 31; the year-value is less than 1601; the
        // hour-value is greater than 23; …". And: "If no such date exists, abort these steps and fail".
        guard 1...Self.dayCount(month, of: year) ~= day, year >= 1601, time.hour <= 23, time.minute <= 59,
            time.second <= 59
        else { return nil }
        let seconds = (Self.days(to: day, month, year) * 24 + time.hour) * 3600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Double(seconds))
    }

    // MARK: Productions

    /// The rule `time = 1*2DIGIT ":" 1*2DIGIT ":" 1*2DIGIT [ non-digit *OCTET ]`.
    private static func time(_ token: borrowing Span<UInt8>) -> (Int, Int, Int)? {
        var parts = (0, 0, 0)
        var index = 0
        for part in 0..<3 {
            let start = index
            var value = 0
            while index < token.count, token[index].isDigit, index - start < 2 {
                value = value * 10 + Int(token[index] - 0x30)
                index += 1
            }
            guard index > start else { return nil }
            switch part {
            case 0: parts.0 = value
            case 1: parts.1 = value
            default: parts.2 = value
            }
            if part < 2 {
                guard index < token.count, token[index] == UInt8(ascii: ":") else { return nil }
                index += 1
            }
        }
        return index < token.count && token[index].isDigit ? nil : parts
    }

    /// The rule `1*2DIGIT [ non-digit *OCTET ]` for a number of one or two digits.
    private static func number(_ token: borrowing Span<UInt8>, digits: ClosedRange<Int>) -> Int? {
        var (value, count) = (0, 0)
        while count < token.count, token[count].isDigit {
            guard count < digits.upperBound else { return nil }
            value = value * 10 + Int(token[count] - 0x30)
            count += 1
        }
        return digits.contains(count) ? value : nil
    }

    private static func month(_ token: borrowing Span<UInt8>) -> Int? {
        guard token.count >= 3 else { return nil }
        let letters = [token[0] | 0x20, token[1] | 0x20, token[2] | 0x20]
        guard (0..<3).allSatisfy({ token[$0].isLetter }) else { return nil }
        return Self.months.firstIndex { $0.utf8.elementsEqual(letters) }.map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    // MARK: Calendar

    private static func dayCount(_ month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Returns the days since 1970-01-01; each year starts in March, so that a leap day comes last.
    private static func days(to day: Int, _ month: Int, _ year: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
