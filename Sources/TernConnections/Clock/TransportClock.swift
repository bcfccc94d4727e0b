// SPDX-License-Identifier: Apache-2.0
public import TernRequests

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A clock for a transport: returns the current instant, and runs an action at an instant.
///
/// Tests can replace it to control every timeout; see `ManualClock` in `TernTesting`.
public protocol TransportClock: Sendable {
    /// The current instant.
    var now: ClockInstant { get }

    /// The current date, for comparison with dates from servers.
    ///
    /// It is not used for time limits, because a machine's date may be set forward or back.
    ///
    /// Defaults to the machine's date.
    var date: HTTPDate { get }

    /// Calls `action` once when `instant` is reached, on any thread, unless the result is cancelled or released first.
    func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction
}

extension TransportClock {
    /// The machine's date.
    public var date: HTTPDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return HTTPDate(secondsSince1970: Int64(time.tv_sec))
    }
}

/// An action that waits for its instant.
///
/// Cancelling or releasing it prevents the action if it has not begun.
public final class ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle that runs `onCancel`, which must be idempotent, when it is cancelled or released.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { self.onCancel() }

    /// Prevents the action if it has not begun.
    public func cancel() { self.onCancel() }
}
