// SPDX-License-Identifier: Apache-2.0
public import TernCaching
public import TernRequests

private enum CachePolicyOption: RequestOption {
    typealias Value = CachePolicy
}

private enum CacheBypassOption: RequestOption {
    typealias Value = Bool
}

private enum CollapsingOption: RequestOption {
    typealias Value = Bool
}

extension RequestOptions {
    package var cachePolicy: CachePolicy? {
        get { self[CachePolicyOption.self] }
        set { self[CachePolicyOption.self] = newValue }
    }

    /// Whether the request neither reads the cache nor stores its response there.
    var bypassesCache: Bool? {
        get { self[CacheBypassOption.self] }
        set { self[CacheBypassOption.self] = newValue }
    }

    /// Whether the request waits for an equal request that is under way, and then uses its stored response.
    package var collapses: Bool? {
        get { self[CollapsingOption.self] }
        set { self[CollapsingOption.self] = newValue }
    }
}

extension Request {
    /// Returns a copy with a cache policy that replaces the client's policy.
    ///
    /// If the client has no cache, a request with `CachePolicy.onlyCached` throws `ClientError.notCached`, and all other settings
    /// have no effect.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - collapses: Whether a `GET` that the cache cannot answer waits while an equal one with this setting is under way, and
    ///     then uses its stored response; no effect with `Range`, or if the request must reach the server. The wait ends at the
    ///     latest when the other caller has read or released the body, or after `Timeouts.connection`. If the stored response
    ///     cannot be used, the client sends the request. Defaults to `false`: the wait depends on how fast the other caller reads.
    /// - Returns: The changed copy.
    public func cache(_ policy: CachePolicy, collapses: Bool = false) -> Request {
        self.with { request in
            request.options.cachePolicy = policy
            request.options.collapses = collapses ? true : nil
        }
    }
}
