// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// Parts of the sentences that an app may show; foreign words stand in quotation marks, so that they are not taken for its own.
package enum Sentence {
    /// The maximum length of the localized description of an error, in characters: two lines of an alert on a phone.
    package static let maximumLength = 160

    static let maximumHostLength = 48

    package static func quoted(_ text: String, length: Int = 32) -> String { "\"\(self.plain(text, length: length))\"" }

    static func plain(_ text: String, length: Int = 32) -> String {
        let scalars = ForeignText.shown(text, length: length).unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "(": "["
            case ")": "]"
            case "\"": "'"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns a sentence as the end of a line for a log: without its period, and without a capital unless it begins an acronym.
    static func clause(_ sentence: String) -> String {
        let text = ForeignText.shown(sentence).replacing(". (RFC ", with: " (RFC ")
        let clause = text.hasSuffix(".") ? text.dropLast() : text[...]
        guard let first = clause.first, let second = clause.dropFirst().first, second.isLowercase || second == " "
        else { return String(clause) }
        return "\(first.lowercased())\(clause.dropFirst())"
    }

    static func list(_ names: [String], count: Int = 2, length: Int = 24) -> String {
        let shown = names.prefix(count).map { self.quoted($0, length: length) }
        let restCount = names.count - shown.count
        let last = restCount > 0 ? "\(restCount) \(restCount == 1 ? "other" : "others")" : shown.last ?? ""
        let others = restCount > 0 ? shown[...] : shown.dropLast()
        return others.isEmpty ? last : "\(others.joined(separator: ", ")) and \(last)"
    }

    static func text(of duration: Duration) -> String {
        let seconds = ((duration / .seconds(1)) * 1000).rounded() / 1000
        guard let whole = Int64(exactly: seconds) else { return "\(seconds) seconds" }
        return whole == 1 ? "1 second" : "\(whole) seconds"
    }

    static func bytes(_ count: some BinaryInteger) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    /// Returns the day in UTC, in the format of ISO 8601: `2026-03-01`.
    package static func day(of date: Date) -> String {
        let days = (date.timeIntervalSince1970 / 86_400).rounded(.down)
        // Certificates have years of four digits, so they cannot contain a date outside this range.
        guard days >= -719_162, days <= 2_932_896 else { return days < 0 ? "0001-01-01" : "9999-12-31" }
        // The usual conversion of days to a date: years begin in March, so that the leap day comes last.
        let shifted = Int(days) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(self.padded(year, 4))-\(self.padded(month, 2))-\(self.padded(day, 2))"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
