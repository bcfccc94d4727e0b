// SPDX-License-Identifier: Apache-2.0

/// Which redirects are followed (RFC 9110 §15.4), where no delegate says otherwise.
public struct RedirectPolicy: Hashable, Sendable {
    /// Where redirects may lead.
    package enum Scope: Hashable, Sendable {
        /// Anywhere.
        case anywhere
        /// To the same scheme, host and port only; another is the response.
        case sameOrigin
        /// Nowhere: the redirect is the response.
        case nowhere
    }

    /// Where redirects may lead; anywhere by default.
    package var scope: Scope
    /// How many are followed for one call; 20 by default, as browsers have it (Fetch §4.4); one more ends the call with
    /// `ClientError.redirectFailed(.tooMany)`.
    public var maximumCount: Int
    /// Whether one from `https` to `http` is followed; `false` by default, because then everybody on the way can read.
    public var allowsInsecure: Bool

    /// Creates a policy that follows redirects anywhere; see the properties for the defaults and their reasons.
    ///
    /// - Parameters:
    ///   - maximumCount: How many are followed for one call. Defaults to 20.
    ///   - allowsInsecure: Whether one from `https` to `http` is followed. Defaults to `false`.
    public init(maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.init(scope: .anywhere, maximumCount: maximumCount, allowsInsecure: allowsInsecure)
    }

    /// Creates a policy with a scope.
    package init(scope: Scope, maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.scope = scope
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
    }

    /// Follow all, but none from `https` to `http`, and 20 at most; the default.
    public static let follow = RedirectPolicy()
    /// Follow those to the same scheme, host and port; another is the response.
    public static let sameOrigin = RedirectPolicy(scope: .sameOrigin)
    /// Follow none: the redirect is the response.
    public static let never = RedirectPolicy(scope: .nowhere)
}
