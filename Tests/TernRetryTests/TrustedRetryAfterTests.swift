// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernRetry
import Testing

/// Tests policies that take a 429 or 503 with `Retry-After` as proof that the server has not acted on the request.
@Suite("RetryDecision: trusted Retry-After")
struct TrustedRetryAfterTests {
    private static let now = HTTPDate(secondsSince1970: 784_111_777)
    /// Methods that are not idempotent (RFC 9110 §9.2.2), one of them unknown to the client.
    private static let others: [HTTPRequest.Method] =
        [.post, .patch, .connect] + [HTTPRequest.Method("LOCK")].compactMap(\.self)
    private static let idempotent = [HTTPRequest.Method.get, .head, .options, .trace, .put, .delete]
    private static let trusting = RetryPolicy(backoff: Backoff(jitter: .none), trustsRetryAfter: true)
    private static let careful = RetryPolicy(backoff: Backoff(jitter: .none))

    private static func action(
        _ code: Int,
        _ retryAfter: String?,
        _ method: HTTPRequest.Method,
        _ policy: RetryPolicy,
        isRedirected: Bool = false,
        attempt: Int = 1
    ) -> RetryDecision.Action {
        var response = HTTPResponse(status: .init(code: code))
        response.headerFields[.retryAfter] = retryAfter
        var generator = SystemRandomNumberGenerator()
        return RetryDecision(policy).action(
            after: .response(response, isRedirected: isRedirected),
            method,
            [:],
            attempt: attempt,
            now: self.now,
            using: &generator
        )
    }

    private static func retry(after seconds: Int) -> RetryDecision.Action {
        .retry(after: .milliseconds(seconds * 1000 + 500))
    }

    @Test(arguments: [429, 503], others)
    func `a request that is not idempotent is repeated only if the policy trusts`(
        _ code: Int,
        _ method: HTTPRequest.Method
    ) {
        for (text, seconds) in [("0", 0), ("7", 7), ("60", 60), ("Sun, 06 Nov 1994 08:49:47 GMT", 10)] {
            #expect(Self.action(code, text, method, Self.trusting) == Self.retry(after: seconds))
            #expect(Self.action(code, text, method, Self.careful) == .stop)
        }
    }

    @Test(arguments: [429, 503], others)
    func `without a valid Retry-After, nothing changes`(_ code: Int, _ method: HTTPRequest.Method) {
        for text in [nil, "", "soon", "-5", "1,5"] {
            #expect(Self.action(code, text, method, Self.trusting) == .stop)
        }
    }

    @Test(arguments: [200, 301, 400, 401, 403, 404, 408, 413, 425, 500, 502, 504], others)
    func `for other statuses, nothing changes`(_ code: Int, _ method: HTTPRequest.Method) {
        #expect(Self.action(code, "7", method, Self.trusting) == .stop)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504], idempotent)
    func `for idempotent methods, nothing changes`(_ code: Int, _ method: HTTPRequest.Method) {
        for text in [nil, "7", "61", "soon"] {
            let expected = Self.action(code, text, method, Self.careful)
            #expect(Self.action(code, text, method, Self.trusting) == expected)
            #expect(Self.action(code, text, method, Self.trusting, isRedirected: true) == expected)
        }
    }

    @Test(arguments: [429, 503], others)
    func `the limits of the policy count`(_ code: Int, _ method: HTTPRequest.Method) {
        for text in ["61", "60.5", "9999999999", "Sun, 06 Nov 1994 08:50:38 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"] {
            #expect(Self.action(code, text, method, Self.trusting) == .stop)
        }
        var longer = Self.trusting
        longer.maximumRetryAfter = .seconds(61)
        #expect(Self.action(code, "61", method, longer) == Self.retry(after: 61))
        #expect(Self.action(code, "62", method, longer) == .stop)
        #expect(Self.action(code, "7", method, Self.trusting, attempt: 3) == .stop)
        var without = Self.trusting
        without.statusCodes = [500]
        #expect(Self.action(code, "7", method, without) == .stop)
    }

    /// After a 303, the refused request was a GET, and the server has acted on the POST before.
    @Test(arguments: [429, 503], others)
    func `a request that was redirected is not repeated`(_ code: Int, _ method: HTTPRequest.Method) {
        #expect(Self.action(code, "7", method, Self.trusting, isRedirected: true) == .stop)
    }

    @Test func `a failure without a response is no refusal`() {
        var generator = SystemRandomNumberGenerator()
        let action = RetryDecision(Self.trusting).action(
            after: .failure(.connectionLost(.reset, .init(phase: .head)), isFirst: true),
            .post,
            [:],
            attempt: 1,
            now: Self.now,
            using: &generator
        )
        #expect(action == .stop)
    }

    @Test func `a policy does not trust unless it is asked to`() {
        #expect(!RetryPolicy().trustsRetryAfter && !RetryPolicy.never.trustsRetryAfter)
        #expect(RetryPolicy() != RetryPolicy(trustsRetryAfter: true))
    }
}
