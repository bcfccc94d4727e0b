// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import TernConnections
package import TernRequests
package import TernTesting

/// The clock of a machine that a test puts to sleep.
///
/// While the machine sleeps, instants go on and timers do not. So a timer that was set before fires late, by the time of the
/// sleep. The system's clock, `SystemClock`, does the same.
package final class SleepingClock: TransportClock {
    /// The time in which the machine was awake.
    private let awake = ManualClock()
    private let slept = Mutex(Duration.zero)

    package init() {}

    package var now: ClockInstant { self.awake.now.advanced(by: self.slept.withLock { $0 }) }

    package var date: HTTPDate {
        HTTPDate(
            secondsSince1970: self.awake.date.secondsSince1970 + self.slept.withLock { $0 }.components.seconds
        )
    }

    package func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        self.awake.schedule(at: instant.advanced(by: .zero - self.slept.withLock { $0 }), action)
    }

    /// Lets the machine sleep for a time, and wakes it.
    package func sleep(for duration: Duration) { self.slept.withLock { $0 += duration } }

    /// Lets time pass while the machine is awake, and runs the timers that become due.
    package func advance(by duration: Duration) { self.awake.advance(by: duration) }

    /// Waits until a timer is set that is due in exactly `delay` from now.
    package func waitForScheduled(in delay: Duration) async throws(TestStallError) {
        try await self.awake.waitForScheduled(in: delay)
    }
}
