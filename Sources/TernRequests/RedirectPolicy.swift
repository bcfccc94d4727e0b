// SPDX-License-Identifier: Apache-2.0

/// Which redirects are followed (RFC 9110 §15.4), where no delegate says otherwise.
public struct RedirectPolicy: Hashable, Sendable {
    /// Where redirects may lead.
    @nonexhaustive
    public enum Scope: Hashable, Sendable {
        /// Anywhere.
        case anywhere
        /// To the same scheme, host and port only; another is the response.
        case sameOrigin
        /// Nowhere: the redirect is the response.
        case nowhere
    }

    /// Where redirects may lead; anywhere by default.
    public var scope: Scope
    /// How many are followed for one call; 20 by default, as browsers have it (Fetch §4.4); one more ends the call with
    /// `ClientError.redirectFailed(.tooMany)`.
    public var maximumCount: Int
    /// Whether one from `https` to `http` is followed; `false` by default, because then everybody on the way can read.
    public var allowsInsecure: Bool

    /// Creates a policy; see the properties for the defaults and their reasons.
    public init(scope: Scope = .anywhere, maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.scope = scope
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
    }

    /// Follow all, but none from `https` to `http`, and 20 at most; the default.
    public static let follow = RedirectPolicy()
    /// Follow those to the same scheme, host and port.
    public static let sameOrigin = RedirectPolicy(scope: .sameOrigin)
    /// Follow none: the redirect is the response.
    public static let never = RedirectPolicy(scope: .nowhere)
}
