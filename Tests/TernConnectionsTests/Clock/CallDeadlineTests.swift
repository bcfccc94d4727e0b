// SPDX-License-Identifier: Apache-2.0
@testable import TernConnections
import TernErrors
import TernTesting
import Testing

@Suite("Deadline")
struct CallDeadlineTests {
    @Test func `lies its limit after the start and knows what set it`() {
        let deadline = CallDeadline(.firstByte, limit: .milliseconds(1500), from: .at(2))
        #expect(deadline.instant == ClockInstant(nanoseconds: 3_500_000_000))
        #expect(deadline.timeout == .firstByte)
        #expect(deadline.limit == .milliseconds(1500))
    }

    @Test func `an error names the limit that passed, and what was waited for`() {
        let deadline = CallDeadline(.firstByte, limit: .milliseconds(1500), from: .at(2))
        let error = deadline.error(ClientError.Context(phase: .head, origin: "http://a:80"))
        guard case .timedOut(.firstByte, .milliseconds(1500), let context) = error else {
            Issue.record("another error: \(error)")
            return
        }
        #expect((context.phase, context.origin) == (.head, "http://a:80"))
    }

    @Test func `without a limit there is none`() {
        let clock = ManualClock()
        #expect(CallDeadline(.call, limit: nil, on: clock) == nil)
        #expect(CallDeadline(.call, limit: .seconds(3), on: clock)?.instant == clock.now.advanced(by: .seconds(3)))
    }

    @Test func `the earlier of two holds, absent ones never do`() {
        #expect(CallDeadline.earlier(.at(3), .at(5)) == .at(3))
        #expect(CallDeadline.earlier(.at(5), .at(3)) == .at(3))
        #expect(CallDeadline.earlier(nil, .at(3)) == .at(3))
        #expect(CallDeadline.earlier(.at(3), nil) == .at(3))
        #expect(CallDeadline.earlier(nil, nil) == nil)
    }

    @Test func `of two at one instant the first is named`() {
        let call = CallDeadline(.call, limit: .seconds(1), from: .at(0))
        let idle = CallDeadline(.idle, limit: .seconds(1), from: .at(0))
        #expect(CallDeadline.earlier(call, idle) == call)
    }

    @Test func `a timer is armed only for what no earlier one serves`() {
        var timer = DeadlineTimer()
        #expect(timer.wait(until: nil) == nil)
        #expect(timer.wait(until: .at(5)) == .at(5))
        #expect(timer.wait(until: .at(5)) == nil)
        #expect(timer.wait(until: .at(9)) == nil)
        #expect(timer.wait(until: .at(3)) == .at(3))
        timer.fired()
        #expect(timer.wait(until: .at(9)) == .at(9))
    }
}

@Suite("Instant")
struct InstantTests {
    @Test(arguments: [
        Duration.zero, .nanoseconds(1), .milliseconds(1500), .seconds(-3), .nanoseconds(-1), .seconds(86_400),
    ])
    func `advancing and measuring agree`(duration: Duration) {
        let start = ClockInstant.at(1000)
        #expect(start.duration(to: start.advanced(by: duration)) == duration)
    }

    @Test func `order is that of time`() {
        #expect(ClockInstant.at(1) < .at(2))
        #expect(ClockInstant.at(2) == .at(1).advanced(by: .seconds(1)))
    }

    @Test func `a time beyond what can be told is the last one`() {
        #expect(ClockInstant.at(1).advanced(by: .seconds(Int64.max)) == ClockInstant(nanoseconds: .max))
        #expect(ClockInstant.at(1).advanced(by: .seconds(Int64.max / 1_000_000_000)) == ClockInstant(nanoseconds: .max))
        let sum = Duration.seconds(Int64.max) + .seconds(Int64.max)
        #expect(ClockInstant.at(1).advanced(by: sum) == ClockInstant(nanoseconds: .max))
        #expect(ClockInstant.at(1).advanced(by: .zero - sum) == ClockInstant(nanoseconds: .min))
    }

    @Test func `the time between any two instants can be told`() {
        let first = ClockInstant.at(1).advanced(by: .seconds(Int64.min))
        let last = ClockInstant(nanoseconds: .max)
        #expect(first == ClockInstant(nanoseconds: .min))
        #expect(first.duration(to: last) == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
        #expect(last.duration(to: first) == .nanoseconds(Int64.min) - .nanoseconds(Int64.max))
        #expect(last.duration(to: last) == .zero)
    }
}
