// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors
public import TernRequests

/// Whether, how often and when a call is tried again.
///
/// Nothing is retried unless a client or a request asks for it. What is retried then is what cannot do harm:
///
/// - A request that surely did not reach the server, whatever its method: no connection could be made.
/// - A request that may have reached it, if sending it twice is as good as once: its method is idempotent (RFC 9110
///   §9.2.2), or it has one of ``idempotencyFields``.
/// - A response with one of ``statusCodes``, under the same condition.
///
/// The body must be one that can be sent again, or a delegate must bring another. A response whose head came is not
/// retried, whatever happens to its body: part of it may have been used.
public struct RetryPolicy: Hashable, Sendable {
    /// How many times the request is sent at most, the first time included; 3 by default.
    public var maximumAttemptCount: Int
    /// How long to wait in between, where the server does not say.
    public var backoff: Backoff
    /// The statuses of responses after which the request is sent once more.
    ///
    /// Defaults to `ClientError.transientStatusCodes`: 408, 425, 429, 500, 502, 503 and 504. Its documentation has the reasons.
    public var statusCodes: Set<Int>
    /// The methods that are idempotent; those of RFC 9110 §9.2.2 by default.
    public var idempotentMethods: Set<HTTPRequest.Method>
    /// Fields by which a server tells a repeated request from a new one; defaults to `Idempotency-Key`.
    public var idempotencyFields: Set<HTTPField.Name>
    /// How long the server may make the call wait by `Retry-After`; 60 s by default.
    ///
    /// If it wants more, its response is the result, so that no server can hold a call.
    public var maximumRetryAfter: Duration
    /// How many retries all calls together may send to a host; `nil` for any number.
    public var budget: RetryBudget?

    /// Creates a policy; without arguments, one that suits most programs.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: how many times the request is sent at most; 3 by default.
    ///   - backoff: how long to wait in between; see ``Backoff`` for the defaults.
    ///   - budget: how many retries a host is sent; see ``RetryBudget`` for the default.
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

    /// Tries nothing again; but the transport still sends a request once more, where that does no harm, on whose idle
    /// connection the server had just hung up (RFC 9112 §9.3.1).
    public static let never = RetryPolicy(maximumAttemptCount: 1)

    /// Whether sending a request twice is as good as once.
    package func isIdempotent(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        self.idempotentMethods.contains(method) || self.idempotencyFields.contains { fields.contains($0) }
    }
}

private enum RetryOption: RequestOption {
    typealias Value = RetryPolicy
}

extension RequestOptions {
    /// Whether, how often and when the request is tried again.
    package var retry: RetryPolicy? {
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
    /// The field's value is the key in double quotes: `idempotent(key: "7f3a")` sends `Idempotency-Key: "7f3a"`. The field is
    /// a string of RFC 9651 §3.3.3, as draft-ietf-httpapi-idempotency-key-header has it, and servers that follow the draft
    /// refuse a bare key. A server that takes the value as it is, like several payment services, keeps the quotes as a part
    /// of the key, which does no harm. Set the field by `header("Idempotency-Key", key)` where a key without quotes is wanted.
    ///
    /// - Parameter key: what no other request of this client has, such as a UUID.
    /// - Returns: a changed copy.
    public func idempotent(key: String) -> Request {
        // "sf-string" (RFC 9651 §3.3.3): a quote and a backslash have a backslash before them.
        let escaped = key.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return self.header("Idempotency-Key", "\"\(escaped)\"")
    }
}
