// SPDX-License-Identifier: Apache-2.0

/// The way a request uses the cache, like the policies of `URLRequest`.
///
/// No policy overrides what RFC 9111 forbids: a response that must be validated is validated, whatever the policy.
@nonexhaustive
public enum CachePolicy: Hashable, Sendable {
    /// Follows the protocol: uses fresh responses, and validates stale ones.
    case useProtocol
    /// Validates stored responses even if they are fresh, unless they are `immutable` (RFC 8246).
    case revalidate
    /// Ignores stored responses; stores the answer.
    case reload
    /// Uses stored responses, fresh or stale; sends the request only if none is stored.
    case returnCachedElseLoad
    /// Uses stored responses, fresh or stale; never sends the request.
    case onlyCached
}
