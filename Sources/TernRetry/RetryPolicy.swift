// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors
public import TernRequests

/// The rules for retrying a call: whether, how often and when.
///
/// A client retries nothing unless its configuration or the request says so. It then retries only what cannot do harm:
///
/// - A request that certainly did not reach the server, whatever its method: the client could not connect.
/// - A request that may have reached the server, if sending it twice has the same effect as once: its method is
///   idempotent (RFC 9110 §9.2.2), or it has one of the ``idempotencyFields``.
/// - A response with one of the ``statusCodes``, under the same condition.
///
/// The body must be one that can be sent again, or a delegate must provide another. Once the head of a response has
/// arrived, problems with its body cause no retry, because a part of it may have been used.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts, including the first.
    ///
    /// Defaults to 3.
    public var maximumAttemptCount: Int
    /// The time to wait before a retry, if the server does not name one.
    public var backoff: Backoff
    /// The statuses of responses after which the client repeats the request.
    ///
    /// Defaults to `ClientError.transientStatusCodes`: 408, 425, 429, 500, 502, 503 and 504. Its documentation explains
    /// them.
    public var statusCodes: Set<Int>
    /// The idempotent methods.
    ///
    /// Defaults to the ones of RFC 9110 §9.2.2.
    public var idempotentMethods: Set<HTTPRequest.Method>
    /// The fields with which a server recognizes a repeated request.
    ///
    /// Defaults to `Idempotency-Key`.
    public var idempotencyFields: Set<HTTPField.Name>
    /// The maximum time that the server may make the call wait with `Retry-After`.
    ///
    /// Defaults to 60 seconds. If the server asks for more, its response is the result, so that no server can block a
    /// call.
    public var maximumRetryAfter: Duration
    /// The limit for the retries of all calls to a host; `nil` means no limit.
    public var budget: RetryBudget?

    /// Creates a policy.
    ///
    /// Without arguments, it suits most programs.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: The maximum number of attempts, including the first. Defaults to 3.
    ///   - backoff: The time to wait before a retry. See ``Backoff`` for its defaults.
    ///   - budget: The limit for the retries to a host. See ``RetryBudget`` for its defaults.
    public init(
        maximumAttemptCount: Int = 3,
        backoff: Backoff = Backoff(),
        budget: RetryBudget? = RetryBudget()
    ) {
        self.maximumAttemptCount = maximumAttemptCount
        self.backoff = backoff
        self.statusCodes = ClientError.transientStatusCodes
        self.idempotentMethods = Set(HTTPRequest.Method.idempotent)
        self.idempotencyFields = Set([HTTPField.Name("Idempotency-Key")].compactMap(\.self))
        self.maximumRetryAfter = .seconds(60)
        self.budget = budget
    }

    /// Retries nothing.
    ///
    /// The transport still repeats a request if that does no harm and the server had just closed its idle connection
    /// (RFC 9112 §9.3.1).
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
    /// Overrides the client's policy.
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
    /// A request of any method may then be retried. Use it only for servers that support the field.
    ///
    /// The field's value is the key in double quotes: `idempotent(key: "7f3a")` sends `Idempotency-Key: "7f3a"`. The
    /// field is a string of RFC 9651 §3.3.3, as in draft-ietf-httpapi-idempotency-key-header, and servers that follow
    /// the draft refuse a bare key. Servers that take the value literally, like several payment services, treat the
    /// quotes as part of the key, which does no harm. If a server needs a key without quotes, use
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
