// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernConnections
public import TernFoundation
import TernRequests

extension BearerAuthentication {
    /// A bearer token (RFC 6750), and the date on which it expires.
    ///
    /// If a token expires within 30 seconds, the client gets a new one for the next request, because a server may refuse a token
    /// that expires on the way. ``init(_:expires:)`` describes the exceptions. Descriptions never contain the token.
    public struct Token: Hashable, Sendable {
        let content: BearerToken

        /// Creates a token.
        ///
        /// If the sign-in service says for how long the token is valid, as with `expires_in` of OAuth 2.0 (RFC 6749 §5.1), add
        /// this time to the current date. If a refresh returns a token that is valid for less than a minute, the client sends it
        /// for about half of this time. If it returns an expired token, the client sends that one until a 401.
        ///
        /// - Parameters:
        ///   - value: The token, without `Bearer`.
        ///   - expiry: The date on which the server stops accepting the token. With `nil`, the client gets a new token only after
        ///     a 401.
        public init(_ value: String, expires expiry: Date? = nil) {
            self.content = BearerToken(value, expires: expiry.map { HTTPDate(roundingDown: $0) })
        }
    }
}

extension HTTPDate {
    fileprivate init(roundingDown date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(secondsSince1970: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
}

extension TokenRenewal.Moment {
    init(_ clock: any TransportClock) {
        self.init(date: clock.date, instant: .nanoseconds(clock.now.nanoseconds))
    }
}
