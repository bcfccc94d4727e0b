// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TernConnections
import Testing

@Suite("SystemClock")
struct SystemClockTests {
    /// The number of blocks, which is larger than the number of threads that Dispatch gives to its global queues.
    private static let blockCount = 600

    @Test func `what blocks elsewhere holds up no timer`() {
        let release = DispatchSemaphore(value: 0)
        let fired = DispatchSemaphore(value: 0)
        for _ in 0..<Self.blockCount { DispatchQueue.global().async { release.wait() } }
        let clock = SystemClock()
        let action = clock.schedule(at: clock.now.advanced(by: .milliseconds(1))) { fired.signal() }
        // The limit turns a hang into a failure. The test does not depend on its length.
        let outcome = fired.wait(timeout: .now() + 20)
        for _ in 0..<Self.blockCount { release.signal() }
        withExtendedLifetime(action) {}
        #expect(outcome == .success)
    }
}
