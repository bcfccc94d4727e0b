// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
public import TernRequests

/// A clock for time limits; a test can replace it to control timeouts, see `ManualClock` in `TernTesting`.
public protocol TransportClock: Sendable {
    /// The current instant.
    var now: ClockInstant { get }

    /// The current date, for comparison with dates from servers; by default the machine's.
    var date: HTTPDate { get }

    /// Calls `action` once, on any thread, at `instant` or later, unless the result is cancelled, or it or the clock is released.
    func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction
}

extension TransportClock {
    public var date: HTTPDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return HTTPDate(secondsSince1970: Int64(time.tv_sec))
    }
}

/// A handle for a scheduled action; cancelling or releasing it prevents an action that is not yet due.
public final class ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle; `onCancel` runs at each cancellation, and again at the release, so it must be idempotent.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { self.onCancel() }

    /// Prevents the action if it is not yet due.
    public func cancel() { self.onCancel() }
}
