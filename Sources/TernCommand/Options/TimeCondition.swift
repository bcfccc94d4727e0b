// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern

/// A condition as typed for `--time-cond`: a date or the name of a file, after a minus sign for an unchanged resource.
struct TimeCondition: Equatable, Sendable {
    let date: HTTPDate
    /// Whether the resource must be unchanged since that time, and not newer.
    let wantsUnmodified: Bool

    init?(_ typed: String, now: HTTPDate, fileTime: (String) -> Int64?) {
        let isNegated = typed.hasPrefix("-")
        let text = isNegated || typed.hasPrefix("+") ? String(typed.dropFirst()) : typed
        let date = HTTPDate(text, now: now) ?? LooseDate(text).flatMap { HTTPDate($0.text, now: now) }
        guard let time = date ?? fileTime(text).map({ HTTPDate(secondsSince1970: $0) }) else { return nil }
        (self.date, self.wantsUnmodified) = (time, isNegated)
    }

    var field: HTTPField.Name { self.wantsUnmodified ? .ifUnmodifiedSince : .ifModifiedSince }

    /// As in curl, the time of the resource decides if the server has ignored the field; a 304 never meets the condition.
    func isMet(by statusCode: Int, lastModified: String?, now: HTTPDate) -> Bool {
        guard statusCode != 304 else { return false }
        guard statusCode == 200, let time = lastModified.flatMap({ HTTPDate($0, now: now) }) else { return true }
        return self.wantsUnmodified ? time < self.date : self.date < time
    }
}

/// A date that people type: `2026-11-28`, `20261128`, `28 Nov 2026`, or `2026-11-28 12:00:00`, in UTC.
struct LooseDate: Equatable, Sendable {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let maximumLength = 64

    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var time: String?

    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var rest = text[...]
        while let first = rest.first {
            let word = rest.prefix { first.isLetter ? $0.isLetter : first.isNumber && ($0.isNumber || $0 == ":") }
            guard !word.isEmpty else {
                guard " ,-/".contains(first) else { return nil }
                rest = rest.dropFirst()
                continue
            }
            rest = rest[word.endIndex...]
            guard first.isLetter ? self.take(name: word.lowercased()) : self.take(number: word) else { return nil }
        }
        guard self.year != nil, self.month != nil, self.day != nil else { return nil }
    }

    /// The date in the format of HTTP; the name of the day does not matter.
    var text: String {
        let name = Self.months[(self.month ?? 1) - 1]
        let day = "\(Self.padded(self.day ?? 1, 2)) \(name) \(Self.padded(self.year ?? 0, 4))"
        return "Sun, \(day) \(self.time ?? "00:00:00") GMT"
    }

    private mutating func take(name: String) -> Bool {
        if ["t", "z", "gmt", "utc"].contains(name) { return true }
        let short = String(name.prefix(3))
        if Self.days.contains(short) { return true }
        guard self.month == nil, let index = Self.months.firstIndex(where: { $0.lowercased() == short }) else {
            return false
        }
        self.month = index + 1
        return true
    }

    private mutating func take(number: Substring) -> Bool {
        if number.contains(":") {
            let parts = number.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard self.time == nil, parts.count == 2 || parts.count == 3, !parts.contains(nil) else { return false }
            self.time = (parts.compactMap(\.self) + [0]).prefix(3).map { Self.padded($0, 2) }.joined(separator: ":")
            return true
        }
        guard let value = Int(number) else { return false }
        switch number.count {
        case 8 where self.year == nil && self.month == nil && self.day == nil:
            (self.year, self.month, self.day) = (value / 10_000, value / 100 % 100, value % 100)
        case 4 where self.year == nil: self.year = value
        // After the year, the month comes first.
        case 1...2 where self.year != nil && self.month == nil: self.month = value
        case 1...2 where self.day == nil: self.day = value
        default: return false
        }
        return self.month.map { (1...12).contains($0) } ?? true
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
