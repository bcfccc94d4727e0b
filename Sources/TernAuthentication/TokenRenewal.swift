// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The time from which a token is no longer sent, because it expires soon.
///
/// Two clocks keep it, and the earlier one counts: the date may have been wrong at first, and a person may set it back.
package struct TokenRenewal: Hashable, Sendable {
    package struct Moment: Hashable, Sendable {
        package var date: HTTPDate
        /// Relative to an arbitrary start.
        package var instant: Duration

        package init(date: HTTPDate, instant: Duration) {
            self.date = date
            self.instant = instant
        }
    }

    /// The time before its expiry from which a token is no longer sent; for a token from a refresh, at most half of its life.
    ///
    /// Beyond it, the client gets a new token first. RFC 7519 §4.1.4 allows "some small leeway […] to account for clock skew".
    package static let marginSecondCount: Int64 = 30

    /// So that no sum overflows.
    private static let maximumSecond: Int64 = 1 << 40

    private let second: Int64
    /// `nil` before the first use of a token that the app had from the start.
    private var instant: Duration?

    package init?(_ token: BearerToken) {
        guard let expiry = token.expiry else { return nil }
        self.second = Self.second(of: expiry) - Self.marginSecondCount
    }

    /// `nil` for a token without an expiry, and for one that came expired, because another refresh might return it again.
    ///
    /// A token that is valid for less than a minute is sent for half of this time.
    package init?(_ token: BearerToken, receivedAt now: Moment) {
        guard let expiry = token.expiry else { return nil }
        let life = Self.second(of: expiry) - Self.second(of: now.date)
        guard life > 0 else { return nil }
        let margin = min(Self.marginSecondCount, life / 2)
        self.second = Self.second(of: expiry) - margin
        self.instant = now.instant + .seconds(life - margin)
    }

    package mutating func isDue(at now: Moment) -> Bool {
        let remaining = self.second - Self.second(of: now.date)
        let instant = self.instant ?? now.instant + .seconds(remaining)
        self.instant = instant
        return remaining <= 0 || now.instant >= instant
    }

    private static func second(of date: HTTPDate) -> Int64 { min(max(0, date.secondsSince1970), Self.maximumSecond) }
}
