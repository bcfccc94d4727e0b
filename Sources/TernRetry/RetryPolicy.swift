// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors
public import TernRequests

/// The rules for retrying a call: whether, how often and when.
///
/// A client retries only if its configuration or the request has a policy, and only in these cases, in which a retry does no harm:
///
/// - The server certainly did not act on the request, because, for example, the client could not connect.
/// - The server may have acted on the request, or answered with one of the ``statusCodes``, but sending it twice has the same
///   effect as sending it once: the request has one of the ``idempotentMethods`` or ``idempotencyFields``.
/// - The policy has `trustsRetryAfter`, and the server answered with 429 or 503 and a `Retry-After`.
///
/// After a redirect, all three cases need an idempotent method or one of the fields, because the server that sent the redirect may
/// have acted on the request; after a challenge, so does the first case. The client must be able to send the body again, or a
/// delegate must provide another one. Problems with a response's body cause no retry, because the caller may have used a part.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts, including the first, but without those after challenges and redirects; 3 by default.
    ///
    /// Beyond it, the call ends with the last response or error.
    public var maximumAttemptCount: Int
    /// The time to wait before a retry; if the server sends `Retry-After`, this time is added to the server's.
    ///
    /// If the wait would exceed the time limit of the call, the call ends with the result of its last attempt instead.
    public var backoff: Backoff
    /// The statuses after which the client repeats an idempotent request; by default `ClientError.transientStatusCodes`.
    public var statusCodes: Set<Int>
    /// The idempotent methods, by default `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE` (RFC 9110 §9.2.2).
    ///
    /// The client's own transport, too, repeats a request with another method only if the server has certainly not acted on it.
    public var idempotentMethods: Set<HTTPRequest.Method>
    /// The fields with which a request counts as idempotent, by default only `Idempotency-Key`.
    public var idempotencyFields: Set<HTTPField.Name>
    /// The maximum time that `Retry-After` may make a call wait, by default 60 seconds.
    ///
    /// Beyond it, the response ends the call.
    public var maximumRetryAfter: Duration
    /// The limit for the retries of all calls to an origin, `RetryBudget()` by default; `nil` means no limit.
    public var budget: RetryBudget?

    package var trustsRetryAfter: Bool

    static let defaultMaximumRetryAfter = Duration.seconds(60)

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: The maximum number of attempts, including the first.
    ///   - backoff: The time to wait before a retry.
    ///   - budget: The limit for the retries to an origin.
    ///   - trustsRetryAfter: Whether a 429 or 503 with a valid `Retry-After` is proof that the server has not acted on the request,
    ///     so that the client also repeats a POST without one of the ``idempotencyFields``. Pass `true` only if all servers refuse
    ///     a request before they act on it, as rate limiters do: a gateway, for example, may answer 503 while the server behind it
    ///     still works on the request. RFC 9110 §9.2.2 asks for "some means to detect that the original request was never applied".
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

    /// Retries nothing; the transport may still repeat a request, for example one that the server did not process (RFC 9113 §8.7).
    public static let never = RetryPolicy(maximumAttemptCount: 1)

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
    /// Sets whether and how often the request is retried, instead of the client's policy.
    ///
    /// ```swift
    /// let request = Request(.post, url)
    ///     .body(json: order)
    ///     .idempotent(key: order.id)
    ///     .retry(RetryPolicy())
    /// ```
    ///
    /// - Parameter policy: The policy. Use ``RetryPolicy/never`` for a request that must not be retried.
    /// - Returns: A changed copy.
    public func retry(_ policy: RetryPolicy) -> Request {
        self.with { $0.options.retry = policy }
    }

    /// Sets `Idempotency-Key`, so that the server acts on the request only once, and a policy may retry it, whatever its method.
    ///
    /// Use this method only for servers that support the field. `idempotent(key: "7f3a")` sends `Idempotency-Key: "7f3a"` with
    /// quotes, because servers that follow draft-ietf-httpapi-idempotency-key-header may refuse a key without them. If a server
    /// needs a key without quotes, use `header("Idempotency-Key", key)`.
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
/// Each retry takes a token of the origin. With less than one left, the call ends with the result of its last attempt. Each call
/// with a policy and each second add tokens. With the defaults, the retries of a busy client add about a tenth to the load of a
/// failing server, and a client with few calls can retry every two seconds.
public struct RetryBudget: Hashable, Sendable {
    package var maximumTokenCount: Double
    package var tokensPerCall: Double
    package var tokensPerSecond: Double

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximumTokenCount: The maximum number of tokens, with which each origin starts. Beyond it, the client retries only as
    ///     often as tokens are added.
    ///   - tokensPerCall: The number of tokens that each call adds.
    ///   - tokensPerSecond: The number of tokens that each second adds.
    public init(maximumTokenCount: Double = 10, tokensPerCall: Double = 0.1, tokensPerSecond: Double = 0.5) {
        self.maximumTokenCount = maximumTokenCount
        self.tokensPerCall = tokensPerCall
        self.tokensPerSecond = tokensPerSecond
    }
}
