// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TestSupport
import Testing

@Suite("EventReconnectionPolicy")
struct EventReconnectionPolicyTests {
    /// A generator that always returns the same number.
    private struct Constant: RandomNumberGenerator {
        let number: UInt64
        func next() -> UInt64 { self.number }

        /// Makes a random delay the shortest one.
        ///
        /// With a smaller number, `Double.random` would draw again forever.
        static let smallest = Constant(number: 2047)
        /// Makes a random delay the longest one.
        static let largest = Constant(number: .max)
    }

    private static func bounds(
        _ policy: EventReconnectionPolicy,
        before attempt: Int,
        after serverDelay: Duration?
    ) -> ClosedRange<Duration> {
        var (smallest, largest) = (Constant.smallest, Constant.largest)
        let lower = policy.delay(before: attempt, after: serverDelay, using: &smallest)
        return lower...policy.delay(before: attempt, after: serverDelay, using: &largest)
    }

    // MARK: Delays

    @Test func `without a wish of the server the pause is between zero and a bound that doubles`() {
        let policy = EventReconnectionPolicy(initialDelay: .seconds(1), maximumDelay: .seconds(30))
        let bounds = (1...8).map { Self.bounds(policy, before: $0, after: nil) }
        #expect(bounds == [1, 2, 4, 8, 16, 30, 30, 30].map { .zero ... .seconds($0) })
        #expect(Self.bounds(policy, before: .max, after: nil).upperBound == .seconds(30))
    }

    @Test func `a wish of the server is the least pause, and the first one is at most a quarter longer`() {
        let policy = EventReconnectionPolicy()
        for delay in [Duration.milliseconds(500), .milliseconds(501), .seconds(3), .seconds(40), .seconds(3600)] {
            #expect(Self.bounds(policy, before: 1, after: delay) == delay...delay * 1.25)
            for attempt in [2, 3, 10, .max] {
                let bounds = Self.bounds(policy, before: attempt, after: delay)
                #expect(bounds.lowerBound == delay)
                #expect(bounds.upperBound >= delay * 1.25)
                #expect(bounds.upperBound <= max(.seconds(30), delay) + delay * 0.25)
            }
        }
    }

    @Test func `a server can ask for an hour at most`() {
        let policy = EventReconnectionPolicy()
        for delay in [Duration.seconds(3601), .seconds(1 << 40), .milliseconds(Int64.max)] {
            #expect(Self.bounds(policy, before: 1, after: delay) == .seconds(3600) ... .seconds(4500))
        }
    }

    @Test func `a server cannot ask for less than half a second, or than the policy's own delay if that is shorter`() {
        let policy = EventReconnectionPolicy(initialDelay: .seconds(1), maximumDelay: .seconds(30))
        for delay in [Duration.zero, .milliseconds(1), .milliseconds(499), .seconds(-1)] {
            #expect(Self.bounds(policy, before: 1, after: delay) == .milliseconds(500) ... .milliseconds(625))
            let hasty = EventReconnectionPolicy(initialDelay: .milliseconds(20))
            #expect(Self.bounds(hasty, before: 1, after: delay).lowerBound == max(delay, .milliseconds(20)))
        }
        for attempt in 2...10 {
            let upper = Self.bounds(policy, before: attempt, after: .zero).upperBound
            #expect(upper > .seconds(1) && upper <= .milliseconds(30_125), "before attempt \(attempt)")
        }
        #expect(Self.bounds(policy, before: 10, after: .zero).upperBound >= .seconds(16))
    }

    @Test func `a random pause is within its bounds, and spread over them`() {
        let policy = EventReconnectionPolicy(initialDelay: .seconds(8), maximumDelay: .seconds(8))
        var generator = SeededGenerator(seed: 20_260_101)
        for (serverDelay, bounds) in [
            (nil, Duration.zero ... .seconds(8)), (.seconds(4), .seconds(4) ... .seconds(5)),
            (.seconds(20), .seconds(20) ... .seconds(25)),
        ] as [(Duration?, ClosedRange<Duration>)] {
            let delays = (0..<200).map { _ in policy.delay(before: 1, after: serverDelay, using: &generator) }
            let width = bounds.upperBound - bounds.lowerBound
            #expect(delays.allSatisfy { bounds.contains($0) })
            #expect(Set(delays).count > 150)
            #expect(delays.contains { $0 < bounds.lowerBound + width * 0.25 })
            #expect(delays.contains { $0 > bounds.lowerBound + width * 0.75 })
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func `delays of zero or less mean no pause`(delay: Duration) {
        let policy = EventReconnectionPolicy(initialDelay: delay, maximumDelay: delay)
        for attempt in 1...5 {
            #expect(Self.bounds(policy, before: attempt, after: nil) == .zero ... .zero)
            #expect(Self.bounds(policy, before: attempt, after: .zero) == .zero ... .zero)
            #expect(Self.bounds(policy, before: attempt, after: delay).lowerBound == .zero)
        }
    }

    // MARK: Final failures

    private static let context = ClientError.Context(phase: .body)

    static let failures: [(error: ClientError?, isFinal: Bool)] = [
        (nil, false), (.truncated(received: 1, expected: nil, context), false),
        (.connectionLost(.closed, context), false), (.connectionLost(.reset, context), false),
        (.connectionLost(.shutDown, context), true), (.connectionFailed(.refused, context), false),
        (.connectionFailed(.noNetwork, context), false),
        (.connectionFailed(.resolution(isTemporary: false), context), false),
        (.timedOut(.idle, limit: .seconds(1), context), false),
        (.timedOut(.firstByte, limit: .seconds(1), context), false),
        (.timedOut(.connect, limit: .seconds(1), context), false),
        (.timedOut(.call, limit: .seconds(1), context), true),
        (.valueTooLong(limit: 1, at: StreamPosition(index: 0, byteOffset: 0), context), true),
        (.protocolViolation(section: "", reason: "", context), true), (.cancelled(context), true),
        (.tlsFailed(.closed, context), false), (.tlsFailed(.wrongHost(), context), true),
        (.authenticationFailed(.cancelled, context), true),
        (.interceptorFailed(CancellationError(), context), false), (.redirectFailed(.loop, context), true),
        (.invalidRequest(.missingHost, context), true),
        (.validationFailed(ValidationFailure(.contentType("text/html")), context), true),
        (.validationFailed(ValidationFailure(.custom("x")), context), true),
        (.proxyFailed(.authenticationRequired, context), true),
        (.proxyFailed(.refused(status: 502), context), false),
    ]

    @Test(arguments: failures.indices)
    func `these failures are final, and those are not`(index: Int) {
        let (error, isFinal) = Self.failures[index]
        #expect(EventReconnectionPolicy.isFinalByDefault(EventDisconnection(error: error)) == isFinal)
    }

    @Test(arguments: [200, 205, 301, 304, 400, 401, 403, 404, 410, 501, 505])
    func `a status that does not pass is final`(status: Int) {
        let error = ClientError.validationFailed(ValidationFailure(.status(status)), Self.context)
        #expect(EventReconnectionPolicy.isFinalByDefault(EventDisconnection(error: error)))
    }

    @Test(arguments: ClientError.transientStatusCodes.sorted())
    func `a status that passes is not final`(status: Int) {
        let error = ClientError.validationFailed(ValidationFailure(.status(status)), Self.context)
        #expect(!EventReconnectionPolicy.isFinalByDefault(EventDisconnection(error: error)))
    }
}
