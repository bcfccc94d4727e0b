// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The time when the server accepts another request: the value of `Retry-After` (RFC 9110 §10.2.3, which defines only two forms).
public enum RetryAfter: Hashable, Sendable {
    /// After this duration.
    case delay(Duration)
    /// Not before this date.
    case date(HTTPDate)

    /// The maximum delay in seconds, 2³¹, as for ages (RFC 9111 §1.2.2).
    private static let maximumSeconds: Int64 = 1 << 31

    /// Creates a value from the field; `nil` if the text is neither a number of seconds nor a date.
    ///
    /// - Parameters:
    ///   - text: The value of the field; decimals are rounded up, and more than 2³¹ seconds count as 2³¹.
    ///   - now: The current time, which decides the century of a date with a year of two digits.
    public init?(_ text: String, now: HTTPDate) {
        if let secondCount = Self.secondCount(text) {
            self = .delay(.seconds(secondCount))
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the seconds, rounded up, because some servers send decimals although "delay-seconds = 1*DIGIT" (RFC 9110 §10.2.3).
    private static func secondCount(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits, let whole = parts.first else { return nil }
        let isRoundedUp = parts.count > 1 && parts[1].utf8.contains { $0 != UInt8(ascii: "0") }
        let secondCount = min(Int64(whole) ?? Self.maximumSeconds, Self.maximumSeconds)
        return min(secondCount + (isRoundedUp ? 1 : 0), Self.maximumSeconds)
    }

    /// Returns the time to wait from `now`, ideally the time in the response's `Date`; zero for a date in the past.
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
