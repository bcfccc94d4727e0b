// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernTesting
import Testing

@testable import TernHTTP

@Suite("The last activity in each direction")
struct ExchangeActivityTests {
    @Test func `silence of sending counts from when a task begins to read`() {
        let clock = ManualClock()
        let activity = ExchangeActivity(clock)
        activity.isReading(false)
        let start = clock.now
        clock.advance(by: .seconds(61))
        activity.isReading(true)  // before the sender asks, whose timer has fired
        #expect(activity.sendIdleStart(since: start) == clock.now)
        let second = clock.now
        clock.advance(by: .seconds(61))
        #expect(activity.sendIdleStart(since: second) == nil)
    }

    @Test func `a response that no task reads ends no writing`() {
        let clock = ManualClock()
        let activity = ExchangeActivity(clock)
        activity.isReading(false)
        let start = clock.now
        clock.advance(by: .seconds(61))
        #expect(activity.sendIdleStart(since: start) == clock.now)
    }

    @Test func `silence of reading counts from what was sent`() {
        let clock = ManualClock()
        let activity = ExchangeActivity(clock)
        let start = clock.now
        #expect(activity.readIdleStart(since: start) == nil)
        clock.advance(by: .seconds(40))
        activity.didSend()
        #expect(activity.readIdleStart(since: start) == clock.now)
        #expect(activity.readIdleStart(since: clock.now) == nil)
    }
}
