// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TestSupport
import Testing

@testable import Tern

@Suite("EventReconnection")
struct EventReconnectionTests {
    private typealias End = EventReconnection.End

    /// The step after an end, without its random pause.
    private enum Outcome: Equatable {
        case again
        case get
        case over
    }

    private static func error(
        _ delivery: ClientError.Delivery = .unknown,
        attempt: Int = 1,
        firstAttempt: Int = 1,
        status: HTTPResponse.Status? = nil
    ) -> ClientError {
        let response = status.map { HTTPResponse(status: $0) }
        var context = ClientError.Context(phase: .head, attempt: attempt, delivery: delivery, response: response)
        context.firstAttempt = firstAttempt
        if let status { return .validationFailed(ValidationFailure(.status(status.code)), context) }
        return delivery == .notSent ? .connectionFailed(.refused, context) : .connectionLost(.closed, context)
    }

    private static let truncated = ClientError.truncated(received: 1, expected: nil, .init(phase: .body))

    private static func end(
        _ error: ClientError? = nil,
        hasResponse: Bool = true,
        events: Int = 0,
        id: String = "",
        isWanted: Bool = false,
        retry: Duration? = nil,
        duration: Duration? = nil,
        retryAfter: Duration? = nil
    ) -> End {
        End(
            error: error,
            hasResponse: hasResponse,
            isWanted: isWanted,
            eventCount: events,
            lastEventID: id,
            serverDelay: retry,
            duration: duration,
            retryAfter: retryAfter
        )
    }

    private static func outcome(_ reconnection: inout EventReconnection, _ end: End) -> Outcome {
        var generator = SeededGenerator(seed: 1)
        let (disconnection, step) = reconnection.ended(end, using: &generator)
        #expect(disconnection.lastEventID == end.lastEventID)
        #expect((disconnection.error == nil) == (end.error == nil))
        switch step {
        case .pause(let delay, let resumesByGet):
            #expect(disconnection.retryDelay == delay)
            return resumesByGet ? .get : .again
        case .end(let error):
            #expect(disconnection.retryDelay == nil)
            #expect((error == nil) == (end.error == nil))
            return .over
        }
    }

    private static func outcome(
        _ method: HTTPRequest.Method,
        _ end: End,
        _ policy: EventReconnectionPolicy = EventReconnectionPolicy()
    ) -> Outcome {
        var reconnection = EventReconnection(policy: policy, method: method)
        return Self.outcome(&reconnection, end)
    }

    // MARK: Methods

    private static let ends: [(end: End, name: String)] = [
        (end(), "an end"), (end(truncated), "a cut"), (end(truncated, events: 3, id: "7"), "a cut after events"),
        (end(error(status: .serviceUnavailable)), "a busy server"),
        (end(error(), hasResponse: false), "a connection that was lost"),
        (end(error(.notSent), hasResponse: false), "no connection"),
        (end(error(.refused), hasResponse: false), "a refused stream"),
    ]

    @Test(arguments: [HTTPRequest.Method.get, .head, .options])
    func `a safe request is sent again after each of these`(method: HTTPRequest.Method) {
        for (end, name) in Self.ends { #expect(Self.outcome(method, end) == .again, "\(name)") }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
    func `another request is sent again only if the server has not got it`(method: HTTPRequest.Method) {
        for (end, name) in Self.ends {
            let isUndelivered = !end.hasResponse && end.error?.context.delivery != .unknown
            #expect(Self.outcome(method, end) == (isUndelivered ? .again : .over), "\(name)")
        }
    }

    @Test func `an attempt that failed after the answer to an earlier one repeats no POST`() {
        // The second attempt of the call follows a redirect or a challenge, so a server has answered the first one.
        for delivery in [ClientError.Delivery.notSent, .refused] {
            let end = Self.end(Self.error(delivery, attempt: 2), hasResponse: false)
            #expect(Self.outcome(.post, end) == .over)
            #expect(Self.outcome(.get, end) == .again)
            let get = EventReconnectionPolicy(resumption: .get)
            let seeded = Self.end(Self.error(delivery, attempt: 2), hasResponse: false, id: "7")
            #expect(Self.outcome(.post, seeded, get) == .over)
        }
    }

    @Test func `an attempt that follows only retries repeats a POST, and one after an answer since then does not`() {
        for delivery in [ClientError.Delivery.notSent, .refused] {
            for (attempt, outcome) in [(3, Outcome.again), (4, .over)] {
                let error = Self.error(delivery, attempt: attempt, firstAttempt: 3)
                #expect(Self.outcome(.post, Self.end(error, hasResponse: false)) == outcome, "\(attempt)")
            }
        }
    }

    @Test func `the answer of a proxy that did not pass the request on is not the server's`() {
        let challenge = HTTPResponse(status: .proxyAuthenticationRequired)
        let busy = HTTPResponse(status: .serviceUnavailable)
        let errors: [ClientError] = [
            .proxyFailed(.refused(status: 503), .init(phase: .proxy, delivery: .notSent, response: busy)),
            .proxyFailed(.authenticationRequired, .init(phase: .proxy, delivery: .notSent, response: challenge)),
            .validationFailed(ValidationFailure(.status(407)), .init(phase: .validate, response: challenge)),
        ]
        let policy = EventReconnectionPolicy(resumption: .get) { _ in false }
        for error in errors {
            #expect(Self.outcome(.post, Self.end(error, id: "7"), policy) == .again)
            var later = error
            later.context.attempt = 2
            #expect(Self.outcome(.post, Self.end(later, id: "7"), policy) == .over)
            let accepted = Self.end(error, id: "7", duration: .seconds(1))
            #expect(Self.outcome(.post, accepted, policy) == .get)
        }
    }

    // MARK: Resumption

    private static let get = EventReconnectionPolicy(resumption: .get)

    @Test func `a POST continues as a GET if the server has answered and named an event`() {
        #expect(Self.outcome(.post, Self.end(Self.truncated, events: 1, id: "7"), Self.get) == .get)
        #expect(Self.outcome(.post, Self.end(events: 1, id: "7"), Self.get) == .get)
        #expect(Self.outcome(.post, Self.end(events: 0, id: "7"), Self.get) == .get, "an ID without an event")
        #expect(Self.outcome(.post, Self.end(Self.truncated, events: 1), Self.get) == .over, "no ID")
        #expect(Self.outcome(.post, Self.end(Self.error(), hasResponse: false, id: "7"), Self.get) == .over)
        #expect(Self.outcome(.post, Self.end(Self.error(.notSent), hasResponse: false, id: "7"), Self.get) == .again)
        #expect(Self.outcome(.get, Self.end(Self.truncated, events: 1, id: "7"), Self.get) == .again)
    }

    @Test func `a POST that continues as a GET stays a GET, whatever happens`() {
        var reconnection = EventReconnection(policy: Self.get, method: .post)
        let ends = [
            Self.end(Self.truncated, events: 1, id: "7"), Self.end(Self.error(), hasResponse: false, id: "7"),
            Self.end(Self.error(.notSent), hasResponse: false, id: "7"), Self.end(id: ""), Self.end(Self.truncated),
        ]
        for end in ends { #expect(Self.outcome(&reconnection, end) == .get) }
    }

    @Test func `a POST that was not sent is still a POST, until the server has answered`() {
        var reconnection = EventReconnection(policy: Self.get, method: .post)
        #expect(Self.outcome(&reconnection, Self.end(Self.error(.notSent), hasResponse: false)) == .again)
        #expect(Self.outcome(&reconnection, Self.end(Self.error(.refused), hasResponse: false)) == .again)
        #expect(Self.outcome(&reconnection, Self.end(Self.truncated, events: 1, id: "7")) == .get)
    }

    // MARK: Ends

    @Test func `a wanted end is final, for every method and policy`() {
        for method in [HTTPRequest.Method.get, .post] {
            #expect(Self.outcome(method, Self.end(events: 1, id: "7", isWanted: true), Self.get) == .over)
        }
    }

    @Test func `the policy decides, and gets the disconnection`() {
        let seen = Flag()
        let policy = EventReconnectionPolicy { disconnection in
            seen.raise()
            return disconnection.lastEventID == "7" && disconnection.error == nil
        }
        #expect(Self.outcome(.get, Self.end(id: "7"), policy) == .over)
        #expect(Self.outcome(.get, Self.end(id: "8"), policy) == .again)
        #expect(seen.count == 2)
    }

    // MARK: Counting

    @Test func `attempts in a row are counted, and a response that lasts starts the count again`() {
        var reconnection = EventReconnection(policy: EventReconnectionPolicy(), method: .get)
        let ends = [0, 1, 4.9, 5, 0, 100, 5, 0].map { seconds in
            Self.end(Self.truncated, events: 1, duration: .seconds(seconds))
        }
        let numbers = ends.map { end in
            #expect(Self.outcome(&reconnection, end) == .again)
            return reconnection.attempt
        }
        #expect(numbers == [1, 2, 3, 1, 2, 1, 1, 2])
    }

    /// Returns the pauses after ends, the longest ones that the random numbers allow.
    private static func pauses(_ ends: [End]) -> [Duration?] {
        var reconnection = EventReconnection(policy: EventReconnectionPolicy(), method: .get)
        var largest = Largest()
        return ends.map { reconnection.ended($0, using: &largest).disconnection.retryDelay }
    }

    private struct Largest: RandomNumberGenerator {
        func next() -> UInt64 { .max }
    }

    @Test func `a server that cuts each response after an event is asked less and less often`() {
        let end = Self.end(Self.truncated, events: 1, retry: .zero)
        #expect(Self.pauses(Array(repeating: end, count: 4)) == [0.625, 2.125, 4.125, 8.125].map(Duration.seconds))
        let silent = Self.end(events: 1)
        #expect(Self.pauses(Array(repeating: silent, count: 4)) == [1, 2, 4, 8].map { .seconds($0) })
    }

    @Test func `a server that sends events, ends in order and names a time is asked at its pace`() {
        let poll = Self.end(events: 1, retry: .seconds(2))
        #expect(Self.pauses(Array(repeating: poll, count: 9)) == Array(repeating: .milliseconds(2500), count: 9))
        let empty = Self.end(retry: .seconds(2))
        let isPaced = Self.pauses([poll, empty, poll, empty]).map { $0 == .milliseconds(2500) }
        #expect(isPaced == [true, false, true, false])
        // Also such a server makes the client connect no more than twice a second.
        let hasty = Self.end(events: 1, retry: .zero)
        #expect(Self.pauses(Array(repeating: hasty, count: 9)) == Array(repeating: .milliseconds(625), count: 9))
    }

    @Test func `the time of Retry-After is added to the pause`() {
        let busy = Self.end(Self.error(status: .serviceUnavailable), retryAfter: .seconds(7))
        #expect(Self.pauses([busy, busy]) == [.seconds(8), .seconds(9)])
    }

    @Test(arguments: [0, 1, 2, 5])
    func `the maximum is the number of attempts in a row`(maximum: Int) {
        let policy = EventReconnectionPolicy(maximumAttemptCount: maximum)
        var reconnection = EventReconnection(policy: policy, method: .get)
        for end in [Self.end(Self.truncated, events: 1), Self.end(), Self.end(Self.error(), hasResponse: false)] {
            var reconnection = reconnection
            for _ in 0..<maximum { #expect(Self.outcome(&reconnection, end) == .again) }
            #expect(Self.outcome(&reconnection, end) == .over)
        }
        let stable = Self.end(duration: .seconds(5))
        for _ in 0..<maximum * 3 { #expect(Self.outcome(&reconnection, stable) == .again) }
    }

    @Test func `the error of the last attempt ends the sequence`() {
        var reconnection = EventReconnection(policy: EventReconnectionPolicy(maximumAttemptCount: 0), method: .get)
        var generator = SeededGenerator(seed: 1)
        let (_, step) = reconnection.ended(Self.end(Self.truncated), using: &generator)
        guard case .end(let error) = step else {
            Issue.record("not the end")
            return
        }
        #expect(error?.fault == .truncated(received: 1, expected: nil))
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `a body that can be read only once is sent again only if nothing of it was sent`(method: HTTPRequest.Method) {
        for (delivery, isRepeated) in [(ClientError.Delivery.notSent, true), (.refused, false), (.unknown, false)] {
            var reconnection = EventReconnection(
                policy: EventReconnectionPolicy(),
                method: method,
                isBodyReplayable: false
            )
            var generator = SystemRandomNumberGenerator()
            let end = Self.end(Self.error(delivery), hasResponse: false)
            let (disconnection, _) = reconnection.ended(end, using: &generator)
            #expect((disconnection.retryDelay != nil) == isRepeated, "\(delivery)")
        }
    }
}
