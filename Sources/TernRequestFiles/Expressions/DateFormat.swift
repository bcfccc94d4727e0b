// SPDX-License-Identifier: Apache-2.0

package enum DateFormat: Hashable, Sendable {
    /// Such as `2026-11-28T22:10:05.123Z`.
    case iso8601
    /// Such as `Sat, 28 Nov 2026 22:10:05 GMT`.
    case rfc1123
    /// A pattern, such as `YYYY-MM-DD`.
    case pattern(String)

    static let maximumByteCount = 64

    /// Reads `iso8601`, `rfc1123`, or a pattern; `nil` for a pattern that is empty or too long.
    init?(_ text: String) {
        switch text {
        case "iso8601": self = .iso8601
        case "rfc1123": self = .rfc1123
        default:
            guard 1...Self.maximumByteCount ~= text.utf8.count else { return nil }
            self = .pattern(text)
        }
    }

    /// Returns the text for a time in milliseconds since 1970, in a time zone that is `offset` seconds ahead of UTC.
    func text(of time: Int64, offset: Int64) -> String {
        let date = CivilDate(time + offset * 1000)
        switch self {
        case .iso8601: return Self.text("YYYY-MM-DDTHH:mm:ss.SSS", date, offset) + Self.zone(offset, forUTC: "Z")
        case .rfc1123:
            return Self.text("ddd, DD MMM YYYY HH:mm:ss ", date, offset) + Self.zone(offset, forUTC: "GMT", colon: "")
        case .pattern(let pattern): return Self.text(pattern, date, offset)
        }
    }

    private static func zone(_ offset: Int64, forUTC name: String, colon: String = ":") -> String {
        guard offset != 0 else { return name }
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + Self.padded(minutes / 60, 2) + colon + Self.padded(minutes % 60, 2)
    }

    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Replaces the letters of a pattern, which are those of Visual Studio Code, and `y` and `d` as in Visual Studio.
    private static func text(_ pattern: String, _ date: CivilDate, _ offset: Int64) -> String {
        var text = ""
        var rest = pattern[...]
        while let letter = rest.first {
            if letter == "[", let end = rest.firstIndex(of: "]") {
                text += rest[..<end].dropFirst()
                rest = rest[end...].dropFirst()
                continue
            }
            let run = rest.prefix { $0 == letter }
            text += Self.part(letter, run.count, date, offset) ?? String(run)
            rest = rest[run.endIndex...]
        }
        return text
    }

    private static func part(_ letter: Character, _ count: Int, _ date: CivilDate, _ offset: Int64) -> String? {
        let seconds = date.timeOfDay / 1000
        let hour = seconds / 3600
        switch (letter, count) {
        case ("Y", 2), ("y", 2): return Self.padded(date.year % 100, 2)
        case ("Y", 4), ("y", 4): return Self.padded(date.year, 4)
        case ("M", 4): return Self.months[Int(date.month - 1)]
        case ("M", 3): return String(Self.months[Int(date.month - 1)].prefix(3))
        case ("M", 1...2): return Self.padded(date.month, count)
        case ("d", 4): return Self.days[date.weekday]
        case ("d", 3): return String(Self.days[date.weekday].prefix(3))
        case ("D", 1...2), ("d", 1...2): return Self.padded(date.day, count)
        case ("H", 1...2): return Self.padded(hour, count)
        case ("h", 1...2): return Self.padded((hour + 11) % 12 + 1, count)
        case ("m", 1...2): return Self.padded(seconds / 60 % 60, count)
        case ("s", 1...2): return Self.padded(seconds % 60, count)
        case ("S", 3): return Self.padded(date.timeOfDay % 1000, 3)
        case ("A", 1): return hour < 12 ? "AM" : "PM"
        case ("Z", 1): return Self.zone(offset, forUTC: "+00:00")
        default: return nil
        }
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let digits = "\(abs(number))"
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
