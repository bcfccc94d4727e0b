// SPDX-License-Identifier: Apache-2.0
public import TernRequests

private enum RetryOption: RequestOption {
    typealias Value = RetryPolicy
}

extension RequestOptions {
    /// Whether, how often and when the request is tried again.
    public var retry: RetryPolicy? {
        get { self[RetryOption.self] }
        set { self[RetryOption.self] = newValue }
    }
}

extension Request {
    /// Says whether and how often the request is tried again, in place of the client's policy.
    ///
    /// ```swift
    /// let request = Request(.post, url).body(json: order).idempotent(key: order.id).retry(RetryPolicy())
    /// ```
    ///
    /// - Parameter policy: the policy; ``RetryPolicy/never`` for a request that must not be tried again.
    /// - Returns: a changed copy.
    public func retry(_ policy: RetryPolicy) -> Request {
        self.with { $0.options.retry = policy }
    }

    /// Names the request, so that the server acts on it once however often it comes: sets `Idempotency-Key`.
    ///
    /// A request of any method may then be tried again. Only for servers that know the field.
    ///
    /// - Parameter key: what no other request of this client has, such as a UUID.
    /// - Returns: a changed copy.
    public func idempotent(key: String) -> Request {
        // "sf-string" (RFC 9651 §3.3.3): a quote and a backslash have a backslash before them.
        let escaped = key.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return self.header("Idempotency-Key", "\"\(escaped)\"")
    }
}
