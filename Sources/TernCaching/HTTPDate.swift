// SPDX-License-Identifier: Apache-2.0

/// The dates of HTTP (RFC 9110 §5.6.7), as seconds since 1970; read strictly, for a guess would make stale what is not.
package enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date in any of the three forms.
    ///
    /// "A recipient that parses a timestamp value in an HTTP field MUST accept all three HTTP-date formats" (§5.6.7).
    ///
    /// - Parameters:
    ///   - text: the value of a field.
    ///   - now: the present, in seconds since 1970; a year of two digits is read by it.
    /// - Returns: seconds since 1970; `nil` if it is no date, or one that does not exist.
    package static func seconds(_ text: String, now: Int64) -> Int64? {
        // The longest is 33 bytes; what is longer is not looked at.
        guard text.utf8.count <= 40 else { return nil }
        var scanner = DateScanner(text)
        guard let day = scanner.word() else { return nil }
        let date: (year: Int64, month: Int, day: Int, time: Int64)?
        if Self.days.contains(day), scanner.skip(", ") {
            date = Self.fixed(&scanner)
        } else if Self.longDays.contains(day), scanner.skip(", ") {
            date = Self.old(&scanner, now)
        } else if Self.days.contains(day), scanner.skip(" ") {
            date = Self.asctime(&scanner)
        } else {
            return nil
        }
        guard let date, scanner.isAtEnd, (1...Self.dayCount(date.year, date.month)).contains(date.day) else {
            return nil
        }
        return Self.days(date.year, date.month, date.day) * 86_400 + date.time
    }

    /// Writes a date in the form that is to be sent (IMF-fixdate).
    ///
    /// - Parameter seconds: since 1970; from year 0 to 9999, to which others are moved.
    /// - Returns: a text such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = seconds - day * 86_400
        let (year, month, date) = Self.civil(day)
        let weekday = Self.days[Int(((day % 7) + 10) % 7)]  // 1970 began on a Thursday
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(Self.padded(date, 2)) \(Self.months[Int(month) - 1]) \(Self.padded(year, 4)) \(clock) GMT"
    }

    // MARK: Forms

    // `06 Nov 1994 08:49:37 GMT`
    private static func fixed(_ scanner: inout DateScanner) -> (Int64, Int, Int, Int64)? {
        guard let day = scanner.number(2), scanner.skip(" "), let month = Self.month(&scanner), scanner.skip(" "),
            let year = scanner.number(4), scanner.skip(" "), let time = Self.time(&scanner), scanner.skip(" GMT")
        else { return nil }
        return (Int64(year), month, day, time)
    }

    // `06-Nov-94 08:49:37 GMT`
    private static func old(_ scanner: inout DateScanner, _ now: Int64) -> (Int64, Int, Int, Int64)? {
        guard let day = scanner.number(2), scanner.skip("-"), let month = Self.month(&scanner), scanner.skip("-"),
            let short = scanner.number(2), scanner.skip(" "), let time = Self.time(&scanner), scanner.skip(" GMT")
        else { return nil }
        // "MUST interpret a timestamp that appears to be more than 50 years in the future as representing the most recent
        // year in the past that had the same last two digits" (§5.6.7).
        let present = Self.civil(min(max(now, 0), 253_402_300_799) / 86_400).year
        var year = present - present % 100 + Int64(short)
        if year > present + 50 { year -= 100 }
        return (year, month, day, time)
    }

    // `Nov  6 08:49:37 1994`
    private static func asctime(_ scanner: inout DateScanner) -> (Int64, Int, Int, Int64)? {
        guard let month = Self.month(&scanner), scanner.skip(" "),
            let day = scanner.skip(" ") ? scanner.number(1) : scanner.number(2), scanner.skip(" "),
            let time = Self.time(&scanner), scanner.skip(" "), let year = scanner.number(4)
        else { return nil }
        return (Int64(year), month, day, time)
    }

    private static func month(_ scanner: inout DateScanner) -> Int? {
        guard let word = scanner.word() else { return nil }
        return Self.months.firstIndex(of: word).map { $0 + 1 }
    }

    /// The second 60 is that of a leap second.
    private static func time(_ scanner: inout DateScanner) -> Int64? {
        guard let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return Int64(hour * 3600 + minute * 60 + second)
    }

    // MARK: The calendar

    private static func dayCount(_ year: Int64, _ month: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970 of a date of the Gregorian calendar; years begin in March here, so that leap days come last.
    private static func days(_ year: Int64, _ month: Int, _ day: Int) -> Int64 {
        let year = (month <= 2 ? year - 1 : year) + 400  // not negative
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468 + 146_097
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// Reads a date from its front.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { self.rest = text[...].utf8 }

    var isAtEnd: Bool { self.rest.isEmpty }

    /// Letters, as many as there are; `nil` if none.
    mutating func word() -> String? {
        let letters = self.rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        guard !letters.isEmpty else { return nil }
        self.rest = self.rest[letters.endIndex...]
        return String(Substring(letters))
    }

    /// Exactly so many digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = self.rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.rest = self.rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func skip(_ text: String) -> Bool {
        guard self.rest.starts(with: text.utf8) else { return false }
        self.rest = self.rest.dropFirst(text.utf8.count)
        return true
    }
}
