// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernRetry
import Testing

@Suite("RetryDecision")
struct RetryDecisionTests {
    private static let now = HTTPDate(secondsSince1970: 784_111_777)

    private static func action(
        _ outcome: RetryDecision.Outcome,
        _ method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        attempt: Int = 1,
        _ policy: RetryPolicy = RetryPolicy(backoff: Backoff(jitter: .none))
    ) -> RetryDecision.Action {
        var generator = SystemRandomNumberGenerator()
        return RetryDecision(policy).action(
            after: outcome,
            method,
            fields,
            attempt: attempt,
            now: self.now,
            using: &generator
        )
    }

    private static func response(_ code: Int, _ fields: HTTPFields = [:]) -> RetryDecision.Outcome {
        .response(HTTPResponse(status: .init(code: code), headerFields: fields), isRedirected: false)
    }

    private static let once = RetryDecision.Action.retry(after: .milliseconds(500))

    @Test("the policy retries transient statuses", arguments: [408, 425, 429, 500, 502, 503, 504])
    func mendable(_ code: Int) { #expect(Self.action(Self.response(code)) == Self.once) }

    @Test(
        "the policy does not retry other statuses",
        arguments: [200, 204, 301, 304, 400, 401, 403, 404, 409, 417, 501, 505]
    )
    func final(_ code: Int) { #expect(Self.action(Self.response(code)) == .stop) }

    /// An error of a status and the policy of a client agree about whether to retry.
    @Test func `an error and the policy agree about every status`() {
        let context = ClientError.Context(phase: .validate)
        for code in 200..<600 {
            let error = ClientError.validationFailed(ValidationFailure(.status(code)), context)
            #expect(error.isRetryable == (Self.action(Self.response(code)) == Self.once), "\(code)")
        }
        #expect(RetryPolicy().statusCodes == ClientError.transientStatusCodes)
    }

    /// The response to CONNECT comes from the proxy, so the client has sent nothing to the server.
    @Test(arguments: [(502, true), (503, true), (403, false), (407, false)])
    func `what a proxy refuses for now is tried again, whatever the method`(_ code: Int, _ isRetried: Bool) {
        let context = ClientError.Context(
            phase: .proxy,
            delivery: .notSent,
            response: HTTPResponse(status: .init(code: code))
        )
        let error = ClientError.proxyFailed(.refused(status: code), context)
        #expect(error.isRetryable == isRetried)
        #expect(Self.action(.failure(error, isFirst: true), .post) == (isRetried ? Self.once : .stop))
    }

    @Test(
        "the policy does not send a request that is not idempotent twice",
        arguments: [HTTPRequest.Method.post, .patch, .connect]
    )
    func unsafe(_ method: HTTPRequest.Method) {
        #expect(Self.action(Self.response(503), method) == .stop)
        #expect(Self.action(.failure(.connectionLost(.reset, .init(phase: .head)), isFirst: true), method) == .stop)
        let key = HTTPFields(
            [HTTPField.Name("Idempotency-Key")].compactMap { $0 }.map { HTTPField(name: $0, value: "\"1\"") }
        )
        #expect(Self.action(Self.response(503), method, fields: key) == Self.once)
        #expect(
            Self.action(.failure(.connectionLost(.reset, .init(phase: .head)), isFirst: true), method, fields: key)
                == Self.once
        )
    }

    @Test(
        "the policy retries any request that did not reach the server",
        arguments: [
            ClientError.connectionFailed(.refused, .init(phase: .connect, delivery: .notSent)),
            .connectionFailed(.resolution(isTemporary: true), .init(phase: .resolve, delivery: .notSent)),
            .timedOut(.connect, limit: .seconds(1), .init(phase: .connect, delivery: .notSent)),
            .timedOut(.connection, limit: .seconds(1), .init(phase: .wait, delivery: .notSent)),
            .connectionLost(.reset, .init(phase: .tls, delivery: .notSent)),
            .connectionLost(.closed, .init(phase: .head, delivery: .refused)),
        ]
    )
    func unsent(_ error: ClientError) { #expect(Self.action(.failure(error, isFirst: true), .post) == Self.once) }

    @Test func `a phase says nothing of what was delivered`() {
        for phase in [ClientError.Phase.connect, .tls, .proxy, .wait, .send, .head] {
            let error = ClientError.connectionLost(.reset, .init(phase: phase))
            #expect(Self.action(.failure(error, isFirst: true), .post) == .stop)
        }
    }

    @Test func `what a server answered before is not unsent, though a later hop is`() {
        let error = ClientError.connectionFailed(.refused, .init(phase: .connect, delivery: .notSent))
        #expect(Self.action(.failure(error, isFirst: false), .post) == .stop)
        #expect(Self.action(.failure(error, isFirst: false), .get) == Self.once)
    }

    @Test(
        "the policy retries a request that may have reached the server only if it is idempotent",
        arguments: [
            ClientError.connectionLost(.reset, .init(phase: .send)), .connectionLost(.closed, .init(phase: .head)),
            .timedOut(.firstByte, limit: .seconds(1), .init(phase: .head)),
        ]
    )
    func sent(_ error: ClientError) {
        #expect(Self.action(.failure(error, isFirst: true), .get) == Self.once)
        #expect(Self.action(.failure(error, isFirst: true), .post) == .stop)
    }

    @Test(
        "the policy does not retry a failure that another attempt cannot fix",
        arguments: [
            ClientError.cancelled(.init(phase: .head)), .tlsFailed(.selfSigned, .init(phase: .tls, delivery: .notSent)),
            .timedOut(.call, limit: .seconds(1), .init(phase: .head)),
            .connectionFailed(.resolution(isTemporary: false), .init(phase: .resolve, delivery: .notSent)),
            .connectionLost(.shutDown, .init(phase: .wait, delivery: .notSent)),
            .truncated(received: 1, expected: 2, .init(phase: .body, response: HTTPResponse(status: .ok))),
        ]
    )
    func lost(_ error: ClientError) { #expect(Self.action(.failure(error, isFirst: true)) == .stop) }

    @Test func `tries are counted`() {
        #expect(Self.action(Self.response(503), attempt: 2) == .retry(after: .seconds(1)))
        #expect(Self.action(Self.response(503), attempt: 3) == .stop)
        #expect(Self.action(Self.response(503), attempt: 1, .never) == .stop)
        #expect(Self.action(Self.response(503), attempt: 1, RetryPolicy(maximumAttemptCount: -1)) == .stop)
    }

    @Test(
        "the policy obeys Retry-After in seconds, and as a date by the server's clock (RFC 9110 §10.2.3)",
        arguments: [
            ("0", nil, 0), ("2", nil, 2000), ("60", nil, 60_000), ("Sun, 06 Nov 1994 08:49:47 GMT", nil, 10_000),
            ("Sun, 06 Nov 1994 08:49:27 GMT", nil, 0),
            ("Sun, 06 Nov 1994 10:00:05 GMT", "Sun, 06 Nov 1994 10:00:00 GMT", 5000),
            ("2.5", nil, 3000), ("0.001", nil, 1000), ("2.0", nil, 2000), ("2.000", nil, 2000), ("0.0", nil, 0),
            ("59.0000000000000000000000000000001", nil, 60_000), ("007.10", nil, 8000),
            ("soon", nil, 0), ("-5", nil, 0), ("", nil, 0), ("+7", nil, 0), ("2.", nil, 0), (".5", nil, 0),
            (".", nil, 0), ("1.2.3", nil, 0), ("1.-2", nil, 0), ("-1.5", nil, 0), ("1,5", nil, 0), ("1e1", nil, 0),
        ] as [(String, String?, Int)]
    )
    func requestedDelay(_ text: String, _ date: String?, _ milliseconds: Int) {
        var fields: HTTPFields = [.retryAfter: text]
        if let date { fields[.date] = date }
        #expect(Self.action(Self.response(503, fields)) == .retry(after: .milliseconds(500 + milliseconds)))
    }

    @Test(
        "the policy does not wait longer than its limit for a server",
        arguments: [
            "61", "60.5", "9999999999", "2147483648.9", "99999999999999999999999999.9", "99999999999999999999999999",
            "Sun, 06 Nov 1994 08:50:47 GMT",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ]
    )
    func tooLong(_ text: String) { #expect(Self.action(Self.response(503, [.retryAfter: text])) == .stop) }
}
