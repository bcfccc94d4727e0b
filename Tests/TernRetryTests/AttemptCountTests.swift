// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernRetry
import Testing

@Suite("AttemptCount")
struct AttemptCountTests {
    @Test func `only a connection that was open for long enough starts the count again`() {
        var count = AttemptCount()
        #expect(count.number == 0)
        let durations: [Duration?] = [
            nil, .zero, .milliseconds(4999), .seconds(5), nil, .seconds(4), .seconds(3600), .seconds(5),
        ]
        let numbers = durations.map { duration in
            count.ended(after: duration)
            return count.number
        }
        #expect(numbers == [1, 2, 3, 1, 2, 3, 1, 1])
    }

    @Test func `a policy may have another duration`() {
        var count = AttemptCount()
        for _ in 0..<3 { count.ended(after: .seconds(59), stableDuration: .seconds(60)) }
        #expect(count.number == 3)
        count.ended(after: .zero, stableDuration: .zero)
        #expect(count.number == 1)
    }

    // MARK: Retry-After

    private static let now = HTTPDate(secondsSince1970: 784_111_777)

    private static func delay(_ code: Int, _ fields: HTTPFields) -> Duration? {
        let response = HTTPResponse(status: .init(code: code), headerFields: fields)
        let context = ClientError.Context(phase: .head, response: response)
        return ClientError.validationFailed(ValidationFailure(.status(code)), context).requestedDelay(now: Self.now)
    }

    @Test(arguments: [429, 503, 500, 408])
    func `a refusal says how long to wait, a minute at most`(_ code: Int) {
        #expect(Self.delay(code, [.retryAfter: "7"]) == .seconds(7))
        #expect(Self.delay(code, [.retryAfter: "0"]) == .zero)
        #expect(Self.delay(code, [.retryAfter: "60"]) == .seconds(60))
        #expect(Self.delay(code, [.retryAfter: "61"]) == .seconds(60))
        #expect(Self.delay(code, [.retryAfter: "99999999999999999999"]) == .seconds(60))
        #expect(Self.delay(code, [.retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT"]) == .seconds(10))
        let dated: HTTPFields = [
            .retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT", .date: "Sun, 06 Nov 1994 08:49:45 GMT",
        ]
        #expect(Self.delay(code, dated) == .seconds(2))
    }

    @Test func `without a field that can be read, or without such a status, there is no time to wait`() {
        #expect(Self.delay(503, [:]) == nil)
        #expect(Self.delay(503, [.retryAfter: "soon"]) == nil)
        #expect(Self.delay(404, [.retryAfter: "7"]) == nil)
        let error = ClientError.connectionFailed(.refused, ClientError.Context(phase: .connect))
        #expect(error.requestedDelay(now: Self.now) == nil)
    }
}
