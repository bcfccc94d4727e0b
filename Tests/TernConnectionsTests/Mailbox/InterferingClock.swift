// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernTesting

/// A clock that runs a closure before it sets the first timer, as if another thread ran at this moment.
final class InterferingClock: TransportClock {
    private let base: ManualClock
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let done = Suspension<Void>()

    init(base: ManualClock) { self.base = base }

    var interfere: (@Sendable () -> Void)? {
        get { self.action.withLock { $0 } }
        set { self.action.withLock { $0 = newValue } }
    }

    var now: ClockInstant { self.base.now }

    func hasInterfered() async { await self.done.wait(onCancel: ()) }

    func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        guard let interfere = self.action.withLock({ $0.take() }) else {
            return self.base.schedule(at: instant, action)
        }
        interfere()
        let scheduled = self.base.schedule(at: instant, action)
        self.done.resume(with: ())
        return scheduled
    }
}
