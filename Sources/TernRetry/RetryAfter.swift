// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The time when the server accepts another request: the value of `Retry-After` (RFC 9110 §10.2.3).
///
/// The enumeration gets no further cases, because RFC 9110 §10.2.3 defines only these two forms.
public enum RetryAfter: Hashable, Sendable {
    /// After this duration.
    case delay(Duration)
    /// Not before this date.
    case date(HTTPDate)

    /// The maximum delay in seconds, 2³¹, as for ages (RFC 9111 §1.2.2).
    ///
    /// A longer delay is shortened to this maximum.
    private static let maximumSeconds: Int64 = 1 << 31

    /// Creates a value from the field; `nil` if the text is neither a number of seconds nor a date.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - now: The current time, which decides the century of a date with a year of two digits.
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

    /// Returns the time to wait.
    ///
    /// - Parameter now: The current time by the server's clock: the time in the response's `Date`, if there is one.
    /// - Returns: The time from `now`; zero for a date in the past.
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
