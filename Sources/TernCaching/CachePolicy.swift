// SPDX-License-Identifier: Apache-2.0

/// The way a request uses the cache, like the policies of `URLRequest`.
///
/// RFC 9111 has priority over every policy: a response that must be validated is never used without validation.
@nonexhaustive
public enum CachePolicy: Hashable, Sendable {
    /// Follows RFC 9111: uses fresh stored responses, and validates stale ones with the server.
    case useProtocol
    /// Validates stored responses even if they are fresh, except fresh `immutable` ones (RFC 8246).
    case revalidate
    /// Ignores stored responses, sends the request, and stores the new response if that is allowed.
    case reload
    /// Uses a stored response, fresh or stale, and sends the request if no usable response is stored.
    case returnCachedElseLoad
    /// Uses a stored response, fresh or stale, and never sends the request; without one, the call throws `ClientError.notCached`.
    case onlyCached
}
