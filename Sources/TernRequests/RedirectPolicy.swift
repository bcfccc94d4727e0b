// SPDX-License-Identifier: Apache-2.0

/// The rules for following redirects (RFC 9110 §15.4); a delegate can decide otherwise.
public struct RedirectPolicy: Hashable, Sendable {
    /// The addresses that redirects may lead to.
    package enum Scope: Hashable, Sendable {
        /// Any address.
        case anywhere
        /// Only addresses with the same scheme, host and port. The call returns any other redirect as its response.
        case sameOrigin
        /// No address. The call returns every redirect as its response.
        case nowhere
    }

    /// The addresses that redirects may lead to.
    ///
    /// Defaults to any address.
    package var scope: Scope
    /// The maximum number of redirects of one call.
    ///
    /// Defaults to 20, like browsers (Fetch §4.4). One more redirect ends the call with
    /// `ClientError.redirectFailed(.tooMany)`.
    public var maximumCount: Int
    /// Whether the client follows a redirect from `https` to `http`.
    ///
    /// Defaults to `false`, because any device on the way could read the traffic. If this property is `false`, such a
    /// redirect ends the call with `ClientError.redirectFailed(.insecure)`; with ``sameOrigin`` and ``never``, the call
    /// returns the redirect as its response.
    public var allowsInsecure: Bool

    /// Creates a policy that follows redirects to any address.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of redirects of one call. Defaults to 20.
    ///   - allowsInsecure: Whether the client follows a redirect from `https` to `http`. Defaults to `false`.
    public init(maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.init(scope: .anywhere, maximumCount: maximumCount, allowsInsecure: allowsInsecure)
    }

    /// Creates a policy with a scope.
    package init(scope: Scope, maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.scope = scope
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
    }

    /// Follows at most 20 redirects, and none from `https` to `http`.
    ///
    /// This is the default.
    public static let follow = RedirectPolicy()
    /// Follows only redirects to the same scheme, host and port.
    ///
    /// The call returns any other redirect as its response.
    public static let sameOrigin = RedirectPolicy(scope: .sameOrigin)
    /// Follows no redirect.
    ///
    /// The call returns a redirect as its response.
    public static let never = RedirectPolicy(scope: .nowhere)
}
