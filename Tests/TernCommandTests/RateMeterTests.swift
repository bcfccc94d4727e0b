// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("The rate of a transfer")
struct RateMeterTests {
    @Test func `there is none before some time has passed`() {
        var meter = RateMeter()
        #expect(meter.bytesPerSecond == nil)
        meter.record(byteCount: 1_000_000, at: .zero)
        meter.record(byteCount: 2_000_000, at: .milliseconds(299))
        #expect(meter.bytesPerSecond == nil)
    }

    @Test func `it is the mean since the start while that is near`() {
        var meter = RateMeter()
        meter.record(byteCount: 500, at: .milliseconds(500))
        #expect(meter.bytesPerSecond == 1000)
        meter.record(byteCount: 3000, at: .seconds(1))
        #expect(meter.bytesPerSecond == 3000)
    }

    @Test func `it forgets what is longer ago than the window`() {
        var meter = RateMeter(window: .seconds(3))
        meter.record(byteCount: 9_000_000, at: .seconds(1))
        for second in 2...10 { meter.record(byteCount: 9_000_000 + Int64(second) * 100, at: .seconds(second)) }
        #expect(meter.bytesPerSecond == 100)
    }

    @Test func `a transfer that stands still comes to zero`() {
        var meter = RateMeter(window: .seconds(3))
        for tenth in 1...80 { meter.record(byteCount: min(1000, Int64(tenth) * 100), at: .milliseconds(tenth * 100)) }
        #expect(meter.bytesPerSecond == 0)
    }
}
