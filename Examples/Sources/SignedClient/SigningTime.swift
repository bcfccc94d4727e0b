// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A time in the format of signatures: `20150830T123600Z`.
struct SigningTime: Equatable, Sendable {
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted,
        dateTimeSeparator: .standard,
        timeSeparator: .omitted,
        timeZone: .gmt
    )

    let text: String
    /// The same time as a date, with a precision of one second.
    let date: Date

    init(_ date: Date) {
        self.text = date.formatted(Self.style)
        self.date = date
    }

    /// Reads the time of a request, or returns `nil` for any other text.
    init?(_ text: String) {
        guard let date = try? Date(text, strategy: Self.style) else { return nil }
        self.init(date)
    }

    /// The text of the date alone, such as `20150830`.
    var day: String { String(self.text.prefix { $0 != "T" }) }
}
