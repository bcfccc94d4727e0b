// SPDX-License-Identifier: Apache-2.0
import TernRequests
import Testing

@Suite("Limits of time")
struct TimeoutsTests {
    @Test func `silence is bounded by default, the whole call is not`() {
        let timeouts = Timeouts()
        #expect(timeouts.connect == .seconds(10))
        #expect(timeouts.connection == .seconds(60))
        #expect(timeouts.firstByte == .seconds(60))
        #expect(timeouts.idle == .seconds(60))
        #expect(timeouts.call == nil)
    }

    @Test func `each limit can be set, or lifted`() {
        let timeouts = Timeouts(connect: nil, idle: .milliseconds(5), call: .seconds(1))
        #expect(timeouts.connect == nil)
        #expect(timeouts.connection == .seconds(60))
        #expect(timeouts.idle == .milliseconds(5))
        #expect(timeouts.call == .seconds(1))
    }

    @Test func `none is no limit at all`() {
        let none = Timeouts.none
        #expect([none.connect, none.connection, none.firstByte, none.idle, none.call] == [nil, nil, nil, nil, nil])
    }
}
