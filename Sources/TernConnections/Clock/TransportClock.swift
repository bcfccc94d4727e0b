// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
public import TernRequests

/// A clock for time limits: returns the current instant, and runs actions at later instants.
///
/// A test can replace the clock to control every timeout; see `ManualClock` in `TernTesting`.
public protocol TransportClock: Sendable {
    /// The current instant.
    var now: ClockInstant { get }

    /// The current date, for comparison with dates from servers.
    ///
    /// Time limits do not use the date, because a person may set the machine's date forward or back.
    ///
    /// The default implementation returns the machine's date.
    var date: HTTPDate { get }

    /// Calls `action` once, on any thread, when `instant` is reached.
    ///
    /// Cancelling or releasing the result prevents the action if the action has not begun.
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

/// A handle for an action that runs at a later instant.
///
/// Cancelling or releasing the handle prevents the action if the action has not begun.
public final class ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle.
    ///
    /// - Parameter onCancel: Runs when the handle is cancelled, and again when it is released. So it must be
    ///   idempotent.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { self.onCancel() }

    /// Prevents the action if the action has not begun.
    public func cancel() { self.onCancel() }
}
