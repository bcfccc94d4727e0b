// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// When the server wants to be asked again: the value of `Retry-After` (RFC 9110 §10.2.3).
///
/// Closed: RFC 9110 §10.2.3 has these two forms.
public enum RetryAfter: Hashable, Sendable {
    /// After this time.
    case delay(Duration)
    /// Not before this date.
    case date(HTTPDate)

    /// The longest delay that is told apart from longer ones: 2³¹ seconds, as for ages (RFC 9111 §1.2.2).
    private static let maximumSeconds: Int64 = 1 << 31

    /// Reads the field's value; `nil` if it is neither a number of seconds nor a date.
    ///
    /// - Parameters:
    ///   - text: the value.
    ///   - now: the present, by which a date with a year of two digits is understood.
    public init?(_ text: String, now: HTTPDate) {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber {
            self = .delay(.seconds(min(Int64(text) ?? Self.maximumSeconds, Self.maximumSeconds)))
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// How long to wait.
    ///
    /// - Parameter now: the present, by the clock of the server: that of its `Date`, if it sent one.
    /// - Returns: the time from `now`; zero for a date that is over.
    public func delay(from now: HTTPDate) -> Duration {
        switch self {
        case .delay(let delay):
            return delay
        case .date(let date):
            let (seconds, overflows) = date.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
            return .seconds(overflows ? Self.maximumSeconds : min(max(0, seconds), Self.maximumSeconds))
        }
    }
}
