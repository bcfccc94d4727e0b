// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// A lock under which nothing slow happens, so that a thread that finds it taken waits for microseconds only.
///
/// Debug builds trap if slow work begins under it; see ``SlowWork``.
struct ShortMutex<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    init(_ value: consuming sending Value) { self.mutex = Mutex(value) }

    borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        self.mutex.withLock { value in
            #if DEBUG
            SlowWork.lockCount += 1
            defer { SlowWork.lockCount -= 1 }
            #endif
            return body(&value)
        }
    }
}

extension ShortMutex where Value: TimedState {
    borrowing func arm(at instant: ClockInstant, on clock: any TransportClock, _ action: @escaping @Sendable () -> Void)
    {
        let timer = clock.schedule(at: instant, action)
        self.withLock { $0.keep(timer, for: instant) }?.cancel()
    }
}
