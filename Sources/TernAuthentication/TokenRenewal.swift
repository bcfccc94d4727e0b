// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The time from which a token is no longer sent, because it expires soon.
///
/// The time is kept by two clocks, and counts as reached as soon as one of them has reached it. The date also corrects
/// the time of a token that the app has received while the date was wrong. The monotonic clock notices the end of the
/// token's life even if a person sets the date back.
package struct TokenRenewal: Hashable, Sendable {
    /// A point in time by both clocks.
    package struct Moment: Hashable, Sendable {
        /// The date, which a person may set forward or back.
        package var date: HTTPDate
        /// The time by a monotonic clock, relative to an arbitrary start.
        package var instant: Duration

        /// Creates a moment.
        package init(date: HTTPDate, instant: Duration) {
            self.date = date
            self.instant = instant
        }
    }

    /// The number of seconds before its expiry from which a token is no longer sent.
    ///
    /// The request needs this time to reach the server: first it waits for a connection. The time also makes up for a
    /// small difference between the clocks: "Implementers MAY provide for some small leeway, usually no more than a few
    /// minutes, to account for clock skew" (RFC 7519 §4.1.4).
    package static let marginSecondCount: Int64 = 30

    /// The largest number of seconds in a calculation, so that no sum overflows.
    private static let maximumSecond: Int64 = 1 << 40

    /// The date, in seconds since 1970.
    private let second: Int64
    /// The time by the other clock; `nil` before the first use of a token that the app had from the start.
    private var instant: Duration?

    /// Creates the time for a token that the app had from the start; `nil` if its expiry is not known.
    package init?(_ token: BearerToken) {
        guard let expiry = token.expiry else { return nil }
        self.second = Self.second(of: expiry) - Self.marginSecondCount
    }

    /// Creates the time for a token that a refresh has returned; `nil` if the token has no expiry that helps.
    ///
    /// A new token that has already expired must not cause another refresh, which would probably return the same.
    /// Either the date of this machine is wrong, or the refresh returned an old token. The server decides: after its
    /// 401, the client refreshes the token. A token with a life of less than a minute is sent for half of this life,
    /// because it would otherwise need a refresh for each request.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - now: The time at which the refresh ended.
    package init?(_ token: BearerToken, receivedAt now: Moment) {
        guard let expiry = token.expiry else { return nil }
        let life = Self.second(of: expiry) - Self.second(of: now.date)
        guard life > 0 else { return nil }
        let margin = min(Self.marginSecondCount, life / 2)
        self.second = Self.second(of: expiry) - margin
        self.instant = now.instant + .seconds(life - margin)
    }

    /// Returns whether a new token is needed before the request that begins now.
    package mutating func isDue(at now: Moment) -> Bool {
        let remaining = self.second - Self.second(of: now.date)
        let instant = self.instant ?? now.instant + .seconds(remaining)
        self.instant = instant
        return remaining <= 0 || now.instant >= instant
    }

    private static func second(of date: HTTPDate) -> Int64 { min(max(0, date.secondsSince1970), Self.maximumSecond) }
}
