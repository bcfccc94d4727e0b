// SPDX-License-Identifier: Apache-2.0
public import TernRequests

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time that a transport goes by: tells it, and calls back when an instant is reached.
///
/// A seam, so that tests can drive every timeout by hand; see `ManualClock` in `TernTesting`.
public protocol TransportClock: Sendable {
    /// The present instant.
    var now: ClockInstant { get }

    /// The present date, which machines may set forward and back: for what servers say in dates, not for limits of time.
    ///
    /// By default the machine's.
    var date: HTTPDate { get }

    /// Calls `action` once `instant` is reached, on any thread, unless the result is cancelled or released before.
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

/// An action that waits for its instant; cancelling or releasing it prevents the action if it has not begun.
public final class ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle that runs `onCancel`, which must be idempotent, when it is cancelled or
    /// released.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { self.onCancel() }

    /// Prevents the action if it has not begun.
    public func cancel() { self.onCancel() }
}
