// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

/// How old a stored response is, and how old it may become (RFC 9111 §4.2).
public struct Freshness: Hashable, Sendable {
    /// The longest lifetime that is guessed, in seconds: a day, beyond which a user had to be warned (RFC 7234 §5.5.4).
    public static let maximumHeuristicSeconds: Int64 = 86_400
    /// How far the clock may go back before nothing is believed of what it said, in seconds.
    static let toleratedSeconds: Int64 = 60

    /// What the response says about its storage.
    public let control: CacheControl
    /// How long the response is fresh, counted from its making, in seconds.
    public let lifetime: Int64
    /// Whether the lifetime is a guess.
    public let isHeuristic: Bool

    private let initialAge: Int64
    private let responseTime: Int64

    /// Judges a response.
    ///
    /// - Parameter response: the response as stored.
    public init(_ response: StoredResponse) {
        let control = CacheControl(response.fields)
        let received = response.responseTime
        let date = response.fields[.date].flatMap { Self.seconds($0, now: received) } ?? received
        self.control = control
        self.responseTime = received
        (self.lifetime, self.isHeuristic) = Self.lifetime(response, control, date)
        // §4.2.3, by its own names.
        let apparentAge = max(0, Self.difference(received, date))
        let responseDelay = max(0, Self.difference(received, response.requestTime))
        let correctedAge = Self.ageValue(response.fields) + responseDelay
        self.initialAge = min(max(apparentAge, correctedAge), CacheControl.maximumSeconds)
    }

    /// How old the response is (`current_age` in RFC 9111 §4.2.3), in seconds; at most 2^31.
    ///
    /// - Parameter now: the present, in seconds since 1970.
    /// - Returns: 2^31 if the clock was put back, for then nothing is known.
    public func age(at now: Int64) -> Int64 {
        let residentTime = Self.difference(now, self.responseTime)
        guard residentTime >= -Self.toleratedSeconds else { return CacheControl.maximumSeconds }
        return min(self.initialAge + max(0, residentTime), CacheControl.maximumSeconds)
    }

    /// Whether the response is fresh: "response_is_fresh = (freshness_lifetime > current_age)" (§4.2).
    public func isFresh(at now: Int64) -> Bool { self.lifetime > self.age(at: now) }

    /// For how long the response has been stale, in seconds; 0 or less while it is fresh.
    public func staleness(at now: Int64) -> Int64 { self.age(at: now) - self.lifetime }

    /// Whether the response must not be given to any request once it is stale (§4.2.4).
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
            // "A cache recipient MUST interpret invalid date formats, especially the value "0", as representing a time in
            // the past" (§5.3); so do several that differ (§4.2.1).
            guard expires.count == 1, let end = Self.seconds(value, now: response.responseTime) else {
                return (0, false)
            }
            return (min(max(0, self.difference(end, date)), CacheControl.maximumSeconds), false)
        }
        return (self.heuristicLifetime(response, control, date), true)
    }

    /// A tenth of the time since the last change (§4.2.2).
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
    /// case-insensitively" (§4.2): names as the forms have them, and `GMT`.
    private static func capitalized(_ text: String) -> String {
        var previous: Character = " "
        let letters = text.prefix(40).map { character -> String in
            defer { previous = character }
            return previous.isLetter ? character.lowercased() : character.uppercased()
        }
        return letters.joined().replacing(" Gmt", with: " GMT")
    }

    // MARK: Age

    /// What caches on the way say (§5.1): of several values the first, as for a field that is a single number.
    private static func ageValue(_ fields: HTTPFields) -> Int64 {
        guard let value = fields[values: .age].first else { return 0 }
        let first = value.split(separator: ",", omittingEmptySubsequences: false).first ?? ""
        return CacheControl.seconds(String(first)) ?? 0
    }

    private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
        let (result, overflowed) = one.subtractingReportingOverflow(other)
        return overflowed ? (one < other ? .min / 4 : .max / 4) : min(max(result, .min / 4), .max / 4)
    }
}
