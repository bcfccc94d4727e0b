// SPDX-License-Identifier: Apache-2.0

/// The rules for following redirects (RFC 9110 §15.4); a delegate can decide otherwise about redirects up to the maximum.
public struct RedirectPolicy: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        case anywhere
        /// The call returns any other redirect as its response.
        case sameOrigin
        /// The call returns every redirect as its response.
        case nowhere
    }

    package var scope: Scope
    /// The maximum number of redirects of one call, or of each retry, 20 by default, as in browsers (Fetch §4.4).
    ///
    /// Beyond it, the call throws `ClientError.redirectFailed(.tooMany)`.
    public var maximumCount: Int
    /// Whether the client follows a redirect from `https` to `http`.
    ///
    /// Defaults to `false`, because any device on the way could read the traffic: such a redirect ends the call with
    /// `ClientError.redirectFailed(.insecure)`; with ``sameOrigin`` and ``never``, the call returns the redirect as its response.
    public var allowsInsecure: Bool

    /// Creates a policy that follows redirects to any address that `allowsInsecure` permits.
    public init(maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.init(scope: .anywhere, maximumCount: maximumCount, allowsInsecure: allowsInsecure)
    }

    package init(scope: Scope, maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.scope = scope
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
    }

    /// Follows at most 20 redirects, and none from `https` to `http`: the default.
    public static let follow = RedirectPolicy()
    /// Follows only redirects to the same scheme, host and port; the call returns any other valid redirect as its response.
    public static let sameOrigin = RedirectPolicy(scope: .sameOrigin)
    /// Follows no redirect; the call returns the redirect as its response.
    public static let never = RedirectPolicy(scope: .nowhere)
}
