// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

/// The age of a stored response, and the time for which it stays fresh (RFC 9111 §4.2).
public struct Freshness: Hashable, Sendable {
    /// The maximum heuristic lifetime in seconds: one day, after which RFC 7234 §5.5.4 asked for a warning.
    package static let maximumHeuristicSeconds: Int64 = 86_400
    /// The number of seconds by which the clock may go back; after more, the age counts as unknown.
    static let toleratedSeconds: Int64 = 60

    /// The cache directives of the response.
    public let control: CacheControl
    /// The number of seconds for which the response is fresh, from its creation on the server.
    public let lifetime: Int64
    /// Whether the server set no lifetime, so that ``lifetime`` is estimated from `Last-Modified`, or is 0.
    public let isHeuristic: Bool

    private let initialAge: Int64
    private let responseTime: Int64

    /// Calculates the age and the lifetime of a response.
    public init(_ response: StoredResponse) {
        let control = CacheControl(response.fields)
        let received = response.responseTime
        let date = response.fields[.date].flatMap { Self.seconds($0, now: received) } ?? received
        self.control = control
        self.responseTime = received
        (self.lifetime, self.isHeuristic) = Self.lifetime(response, control, date)
        // This is the calculation of RFC 9111 §4.2.3, with the names that the RFC uses.
        let apparentAge = max(0, Self.difference(received, date))
        let responseDelay = max(0, Self.difference(received, response.requestTime))
        let correctedAge = Self.ageValue(response.fields) + responseDelay
        self.initialAge = min(max(apparentAge, correctedAge), CacheControl.maximumSeconds)
    }

    /// Returns the age in seconds (`current_age` in RFC 9111 §4.2.3), at most 2^31.
    ///
    /// If `now` is more than a minute before the response arrived, the age is unknown, and the result is 2^31.
    public func age(at now: Int64) -> Int64 {
        let residentTime = Self.difference(now, self.responseTime)
        guard residentTime >= -Self.toleratedSeconds else { return CacheControl.maximumSeconds }
        return min(self.initialAge + max(0, residentTime), CacheControl.maximumSeconds)
    }

    /// Returns whether the response is fresh: "response_is_fresh = (freshness_lifetime > current_age)" (RFC 9111 §4.2).
    public func isFresh(at now: Int64) -> Bool { self.lifetime > self.age(at: now) }

    /// Returns the number of seconds for which the response has been stale; negative while it is fresh.
    public func staleness(at now: Int64) -> Int64 { self.age(at: now) - self.lifetime }

    /// Whether a cache must revalidate a stale response even if a request or a directive permits stale ones (RFC 9111 §4.2.4).
    ///
    /// If `false`, a cache may use a stale response, but only with such a permission, for example `max-stale`.
    public var forbidsStale: Bool {
        self.control.mustRevalidate || self.control.noCache == .all || self.control.isMalformed
    }

    // MARK: Lifetime

    private static func lifetime(
        _ response: StoredResponse,
        _ control: CacheControl,
        _ date: Int64
    ) -> (Int64, isHeuristic: Bool) {
        // "If a response includes a Cache-Control header field with the max-age directive, a recipient MUST ignore the
        // Expires header field" (§5.3). s-maxage is for shared caches.
        if let maxAge = control.maxAge { return (maxAge, false) }
        let expires = Set(response.fields[values: .expires])
        if let value = expires.first {
            // "A cache recipient MUST interpret invalid date formats, especially the value "0", as representing a time
            // in the past" (§5.3). Different values of several `Expires` fields also count as a time in the past
            // (§4.2.1).
            guard expires.count == 1, let end = Self.seconds(value, now: response.responseTime) else {
                return (0, false)
            }
            return (min(max(0, self.difference(end, date)), CacheControl.maximumSeconds), false)
        }
        return (self.heuristicLifetime(response, control, date), true)
    }

    /// A tenth of the time from `Last-Modified` to `Date`, at most one day (RFC 9111 §4.2.2).
    private static func heuristicLifetime(
        _ response: StoredResponse,
        _ control: CacheControl,
        _ date: Int64
    ) -> Int64 {
        guard control.isPublic || StoredResponse.isHeuristicallyCacheable(response.statusCode),
            let text = response.lastModified,
            let modified = Self.seconds(text, now: response.responseTime)
        else { return 0 }
        return min(max(0, self.difference(date, modified)) / 10, Self.maximumHeuristicSeconds)
    }

    private static func seconds(_ text: String, now: Int64) -> Int64? {
        let now = HTTPDate(secondsSince1970: now)
        return (HTTPDate(text, now: now) ?? HTTPDate(self.capitalized(text), now: now))?.secondsSince1970
    }

    /// "Although all date formats are specified to be case-sensitive, a cache recipient SHOULD match the field value
    /// case-insensitively" (RFC 9111 §4.2).
    private static func capitalized(_ text: String) -> String {
        var previous: Character = " "
        let letters = text.prefix(40).map { character -> String in
            defer { previous = character }
            return previous.isLetter ? character.lowercased() : character.uppercased()
        }
        return letters.joined().replacing(" Gmt", with: " GMT")
    }

    // MARK: Age

    /// Returns the first value of `Age` (RFC 9111 §5.1), or 0 if it is missing or not valid.
    private static func ageValue(_ fields: HTTPFields) -> Int64 {
        guard let value = fields[values: .age].first else { return 0 }
        let first = value.split(separator: ",", omittingEmptySubsequences: false).first ?? ""
        return CacheControl.seconds(String(first)) ?? 0
    }

    private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
        let (result, overflowed) = one.subtractingReportingOverflow(other)
        let bound = Int64.max / 4  // in one expression, these take seconds to compile
        if overflowed { return one < other ? -bound : bound }
        return min(max(result, -bound), bound)
    }
}
