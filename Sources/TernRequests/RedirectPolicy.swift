// SPDX-License-Identifier: Apache-2.0

/// The rules for following redirects (RFC 9110 §15.4); a delegate can override them, but not exceed the maximum.
public struct RedirectPolicy: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        case anywhere
        /// Unless a delegate decides otherwise, the call returns any other valid redirect as its response.
        case sameOrigin
        /// Unless a delegate decides otherwise, the call returns every redirect as its response.
        case nowhere
    }

    package var scope: Scope
    /// The maximum number of redirects of one call, or of each retry, 20 by default, as in browsers.
    ///
    /// Beyond it, the call throws `ClientError.redirectFailed(.tooMany)` instead of following another.
    public var maximumCount: Int
    /// Whether the client follows a redirect from `https` to `http`.
    ///
    /// Defaults to `false`, because any device on the way could read the traffic. Unless a delegate decides otherwise, such a
    /// redirect ends the call with `ClientError.redirectFailed(.insecure)`; with ``sameOrigin`` and ``never``, it is the response.
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

    /// The default policy: a ``maximumCount`` of 20, and no redirects from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// Unless a delegate decides otherwise, follows only redirects to the same scheme, host and port, and returns other valid ones.
    public static let sameOrigin = RedirectPolicy(scope: .sameOrigin)
    /// Unless a delegate decides otherwise, the call returns every redirect as its response.
    public static let never = RedirectPolicy(scope: .nowhere)
}
