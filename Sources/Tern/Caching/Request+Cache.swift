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
    /// The cache policy of the request.
    ///
    /// Defaults to `nil`: the client's policy.
    package var cachePolicy: CachePolicy? {
        get { self[CachePolicyOption.self] }
        set { self[CachePolicyOption.self] = newValue }
    }

    /// Whether the request waits for an equal one that is under way, and shares its stored response.
    ///
    /// `nil` means `false`.
    package var collapses: Bool? {
        get { self[CollapsingOption.self] }
        set { self[CollapsingOption.self] = newValue }
    }
}

extension Request {
    /// Returns a copy with a cache policy that replaces the client's.
    ///
    /// ```swift
    /// let request = Request(url: url).cache(.returnCachedElseLoad)
    /// ```
    ///
    /// Without a cache, `CachePolicy.onlyCached` always throws `ClientError.notCached`, and the other policies have no
    /// effect.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - collapses: Whether to wait while an equal request is under way, until the body of its response was read or
    ///     abandoned, and then to use its stored response. If that response cannot be used, the request is sent.
    ///     Defaults to `false`, because the wait depends on the speed of the other reader.
    /// - Returns: The changed copy.
    public func cache(_ policy: CachePolicy, collapses: Bool = false) -> Request {
        self.with { request in
            request.options.cachePolicy = policy
            request.options.collapses = collapses ? true : nil
        }
    }
}
