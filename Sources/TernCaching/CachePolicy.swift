// SPDX-License-Identifier: Apache-2.0

/// The way a request uses the cache, like the policies of `URLRequest`.
///
/// A response whose own directives demand validation is never used without it, whatever the policy.
@nonexhaustive
public enum CachePolicy: Hashable, Sendable {
    /// Follows RFC 9111: as a rule, uses fresh stored responses, and validates stale ones with the server.
    case useProtocol
    /// As a rule, asks the server even if a fresh response is stored, unless it is `immutable` (RFC 8246).
    case revalidate
    /// Ignores stored responses; the cache may store the new one.
    case reload
    /// Uses a stored response, fresh or stale, and sends the request if no usable response is stored.
    case returnCachedElseLoad
    /// Uses a stored response, fresh or stale, and never sends the request; if none is usable, throws `ClientError.notCached`.
    case onlyCached
}
