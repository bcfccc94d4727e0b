// SPDX-License-Identifier: Apache-2.0

/// How a request wants the cache to be used, as `URLRequest`'s policies say it.
///
/// No policy gives what RFC 9111 forbids: what must be validated is, whatever the policy.
@nonexhaustive
public enum CachePolicy: Hashable, Sendable {
    /// As the protocol says: what is fresh is used, what is stale is validated.
    case useProtocol
    /// What is stored is validated even if it is fresh, unless it is `immutable` (RFC 8246).
    case revalidate
    /// What is stored is not used; the answer is stored.
    case reload
    /// What is stored is used, fresh or stale; only if nothing is, the server is asked.
    case returnCachedElseLoad
    /// What is stored is used, fresh or stale; the server is never asked.
    case onlyCached
}
