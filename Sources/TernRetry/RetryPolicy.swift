// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors
public import TernRequests

/// The rules for retrying a call: whether, how often and when.
///
/// A client retries only if its configuration or the request has a policy. It then retries only in these cases, in
/// which a retry does no harm:
///
/// - The server certainly did not act on the request, because, for example, the client could not connect. The method
///   matters only if a server answered an earlier attempt of the call with a challenge or a redirect: the method must
///   then be idempotent, or the request must have one of the ``idempotencyFields``.
/// - The server may have acted on the request, but sending it twice has the same effect as sending it once. That is so
///   if the method is idempotent (RFC 9110 §9.2.2), or if the request has one of the ``idempotencyFields``.
/// - The server answered with one of the ``statusCodes``, and sending the request twice has the same effect as sending
///   it once.
/// - The policy has `trustsRetryAfter`, and the server answered with 429 or 503 and a `Retry-After`. The method matters
///   only if the request was redirected before: it must then be idempotent, or the request must have one of the
///   ``idempotencyFields``, because the server that redirected may have acted on the request.
///
/// In each case, the client must be able to send the body again, or a delegate must provide another body. Once the head
/// of a response has arrived, problems with its body cause no retry, because the caller may have used a part of it.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts, including the first.
    ///
    /// Attempts after challenges and redirects do not count. Defaults to 3.
    public var maximumAttemptCount: Int
    /// The time to wait before a retry; if the server sends `Retry-After`, this time is added to the server's.
    public var backoff: Backoff
    /// The statuses of responses after which the client repeats the request.
    ///
    /// Defaults to `ClientError.transientStatusCodes`: 408, 425, 429, 500, 502, 503 and 504. The documentation of that
    /// property gives the reason for each.
    public var statusCodes: Set<Int>
    /// The idempotent methods.
    ///
    /// Defaults to `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE` (RFC 9110 §9.2.2).
    public var idempotentMethods: Set<HTTPRequest.Method>
    /// The fields by which a server recognizes a repeated request; a request with one of them counts as idempotent.
    ///
    /// Defaults to `Idempotency-Key`.
    public var idempotencyFields: Set<HTTPField.Name>
    /// The maximum time that the server may make the call wait with `Retry-After`.
    ///
    /// Defaults to 60 seconds. If the server asks for more, the call does not wait and ends with that response, so that
    /// no server can block a call.
    public var maximumRetryAfter: Duration
    /// The limit for the retries of all calls to an origin; `nil` means no limit.
    ///
    /// Defaults to `RetryBudget()`.
    public var budget: RetryBudget?

    /// Whether a 429 or 503 with `Retry-After` is proof that the server has not acted on the request.
    package var trustsRetryAfter: Bool

    /// The default of ``maximumRetryAfter``.
    static let defaultMaximumRetryAfter = Duration.seconds(60)

    /// Creates a policy.
    ///
    /// The defaults suit most programs.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: The maximum number of attempts, including the first, but without those after challenges
    ///     and redirects. Defaults to 3.
    ///   - backoff: The time to wait before a retry. See ``Backoff`` for its defaults.
    ///   - budget: The limit for the retries to an origin. See ``RetryBudget`` for its defaults.
    ///   - trustsRetryAfter: Whether a 429 or 503 with a valid `Retry-After` is proof that the server has not acted on
    ///     the request. If so, the client also repeats a POST without one of the ``idempotencyFields``. Without
    ///     `Retry-After`, nothing changes. Defaults to `false`: a client should repeat such a request only with "some
    ///     means to detect that the original request was never applied" (RFC 9110 §9.2.2), and neither RFC 9110 §10.2.3
    ///     nor RFC 6585 §4 says that `Retry-After` is such a means. A gateway, for example, may give up and answer 503
    ///     while the server behind it still works on the request. Pass `true` only if all servers of these requests
    ///     refuse a request before they act on it, as rate limiters do.
    public init(
        maximumAttemptCount: Int = 3,
        backoff: Backoff = Backoff(),
        budget: RetryBudget? = RetryBudget(),
        trustsRetryAfter: Bool = false
    ) {
        self.maximumAttemptCount = maximumAttemptCount
        self.backoff = backoff
        self.statusCodes = ClientError.transientStatusCodes
        self.idempotentMethods = Set(HTTPRequest.Method.idempotent)
        self.idempotencyFields = Set([HTTPField.Name("Idempotency-Key")].compactMap(\.self))
        self.maximumRetryAfter = Self.defaultMaximumRetryAfter
        self.budget = budget
        self.trustsRetryAfter = trustsRetryAfter
    }

    /// Retries nothing.
    ///
    /// The transport still repeats a request where that does no harm: for example, if the server had just closed the
    /// idle connection that the request was sent on (RFC 9112 §9.3.1), or refused the request without processing it
    /// (RFC 9113 §8.7).
    public static let never = RetryPolicy(maximumAttemptCount: 1)

    /// Returns whether sending a request twice has the same effect as sending it once.
    package func isIdempotent(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        self.idempotentMethods.contains(method) || self.idempotencyFields.contains { fields.contains($0) }
    }
}

private enum RetryOption: RequestOption {
    typealias Value = RetryPolicy
}

extension RequestOptions {
    /// The retry policy of the request; `nil` uses the client's.
    package var retry: RetryPolicy? {
        get { self[RetryOption.self] }
        set { self[RetryOption.self] = newValue }
    }
}

extension Request {
    /// Sets whether and how often the request is retried.
    ///
    /// The policy replaces the client's policy.
    ///
    /// ```swift
    /// let request = Request(.post, url).body(json: order).idempotent(key: order.id).retry(RetryPolicy())
    /// ```
    ///
    /// - Parameter policy: The policy. Use ``RetryPolicy/never`` for a request that must not be retried.
    /// - Returns: A changed copy.
    public func retry(_ policy: RetryPolicy) -> Request {
        self.with { $0.options.retry = policy }
    }

    /// Sets `Idempotency-Key`, so that the server acts on the request only once, however often it arrives.
    ///
    /// The client may then retry the request, whatever its method. Use this method only for servers that support the
    /// field.
    ///
    /// The field's value is the key in double quotes: `idempotent(key: "7f3a")` sends `Idempotency-Key: "7f3a"`. The
    /// quotes come from draft-ietf-httpapi-idempotency-key-header, which makes the value a string of RFC 9651 §3.3.3.
    /// Servers that follow the draft refuse a key without quotes. Other servers, such as those of several payment
    /// services, take the quotes as part of the key, which does no harm. If a server needs a key without quotes, use
    /// `header("Idempotency-Key", key)`.
    ///
    /// - Parameter key: A text that no other request of this client has, such as a UUID.
    /// - Returns: A changed copy.
    public func idempotent(key: String) -> Request {
        // "sf-string" (RFC 9651 §3.3.3): a backslash precedes each quote and backslash.
        let escaped = key.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return self.header("Idempotency-Key", "\"\(escaped)\"")
    }
}

/// A limit for the number of retries to each origin, so that retries do not overload a server in trouble.
///
/// Each origin starts with the maximum number of tokens. A retry takes one token. If no token is left, the client does
/// not retry, and the call ends with the result of its last attempt. Each call adds `tokensPerCall` tokens, and each
/// second adds `tokensPerSecond` tokens.
///
/// With the defaults, the retries of a busy client add about a tenth to the load of a failing server in the long run. A
/// client with few calls can retry every two seconds.
public struct RetryBudget: Hashable, Sendable {
    /// The maximum number of tokens of an origin.
    package var maximumTokenCount: Double
    /// The number of tokens that each call adds.
    package var tokensPerCall: Double
    /// The number of tokens that each second adds.
    package var tokensPerSecond: Double

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximumTokenCount: The maximum number of tokens. Defaults to 10, enough for a burst of failures.
    ///   - tokensPerCall: The number of tokens that each call adds. Defaults to 0.1.
    ///   - tokensPerSecond: The number of tokens that each second adds. Defaults to 0.5.
    public init(maximumTokenCount: Double = 10, tokensPerCall: Double = 0.1, tokensPerSecond: Double = 0.5) {
        self.maximumTokenCount = maximumTokenCount
        self.tokensPerCall = tokensPerCall
        self.tokensPerSecond = tokensPerSecond
    }
}
