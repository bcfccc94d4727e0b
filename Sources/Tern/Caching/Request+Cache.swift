// SPDX-License-Identifier: Apache-2.0
public import TernCaching
public import TernRequests

private enum CachePolicyOption: RequestOption {
    typealias Value = CachePolicy
}

private enum CollapsingOption: RequestOption {
    typealias Value = Bool
}

extension RequestOptions {
    /// How the cache is used; as the client has it by default.
    package var cachePolicy: CachePolicy? {
        get { self[CachePolicyOption.self] }
        set { self[CachePolicyOption.self] = newValue }
    }

    /// Whether the request waits for an equal one that is under way, to share its stored answer; `nil`, as `false`, for no.
    package var collapses: Bool? {
        get { self[CollapsingOption.self] }
        set { self[CollapsingOption.self] = newValue }
    }
}

extension Request {
    /// Says how the cache is used, in place of the client's policy.
    ///
    /// ```swift
    /// let request = Request(url: url).cache(.returnCachedElseLoad)
    /// ```
    ///
    /// Without a cache, `CachePolicy.onlyCached` always gives `ClientError.notCached`, and the others do nothing.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - collapses: whether to wait for an equal request that is under way, until its body was read to the end or given
    ///     up, and to share its stored answer; where that cannot be used, the request goes out on its own. `false` by
    ///     default, because the wait is as long as the other's reader wants.
    /// - Returns: a changed copy.
    public func cache(_ policy: CachePolicy, collapses: Bool = false) -> Request {
        self.with { request in
            request.options.cachePolicy = policy
            request.options.collapses = collapses ? true : nil
        }
    }
}
