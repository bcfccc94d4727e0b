// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

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
    /// The statuses that are worth another try; 408, 425, 429, 500, 502, 503 and 504 by default.
    public var statusCodes: Set<Int>
    /// The methods that are idempotent; those of RFC 9110 §9.2.2 by default.
    public var idempotentMethods: Set<HTTPRequest.Method>
    /// Fields by which a server tells a repeated request from a new one; `Idempotency-Key` by default.
    public var idempotencyFields: Set<HTTPField.Name>
    /// How long the server may make the call wait by `Retry-After`; 60 s by default.
    ///
    /// If it wants more, its response is the result, so that no server can hold a call.
    public var maximumRetryAfter: Duration
    /// How many retries a host is sent, besides; `nil` for any number.
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
        self.statusCodes = [408, 425, 429, 500, 502, 503, 504]
        self.idempotentMethods = Set(HTTPRequest.Method.idempotent)
        self.idempotencyFields = Set([HTTPField.Name("Idempotency-Key")].compactMap(\.self))
        self.maximumRetryAfter = .seconds(60)
        self.budget = budget
    }

    /// Tries nothing again; but the transport still sends a request once more, where that does no harm, on whose idle
    /// connection the server had just hung up (RFC 9112 §9.3.1).
    public static let never = RetryPolicy(maximumAttemptCount: 1)

    /// Whether sending a request twice is as good as once.
    public func isIdempotent(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        self.idempotentMethods.contains(method) || self.idempotencyFields.contains { fields.contains($0) }
    }
}
