// SPDX-License-Identifier: Apache-2.0
public import TernConnections
public import TernRequests

/// A clock that stands still until a test advances it, so that a test of a one-minute timeout takes no real time.
///
/// ```swift
/// let clock = ManualClock()
/// let connector = MemoryConnector(clock: clock) { _ in .stall }
/// let client = Client(connector: connector, clock: clock)
/// async let reply = client.data(from: url)
/// try await clock.waitForScheduled(in: .seconds(60))  // the client waits now
/// clock.advance(by: .seconds(60))
/// ```
public final class ManualClock: TransportClock {
    private struct Entry: Sendable {
        var instant: ClockInstant
        var action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var now = ClockInstant(nanoseconds: 0)
        var date: HTTPDate
        var lastNumber = 0
        var entries: [Int: Entry] = [:]

        /// The entry that is due next; of several at the same instant, the one that was scheduled first.
        var next: (number: Int, entry: Entry)? {
            let next = self.entries.min { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }
            return next.map { ($0.key, $0.value) }
        }

        /// Moves to the next action that is due by `end`, or to `end`, in one step, so that no action scheduled meanwhile is
        /// missed.
        mutating func advance(until end: ClockInstant) -> (@Sendable () -> Void)? {
            guard let (number, entry) = self.next, entry.instant <= end else {
                self.now = max(self.now, end)
                return nil
            }
            self.now = max(self.now, entry.instant)
            self.entries[number] = nil
            return entry.action
        }
    }

    private let state: Observed<State>

    /// Creates a clock that stands still at instant 0, which is at the date 2026-01-01 by default.
    public init(date: HTTPDate = HTTPDate(secondsSince1970: 1_767_225_600)) {
        self.state = Observed(State(date: date))
    }

    public var now: ClockInstant { self.state.value.now }

    /// The initial date plus the whole seconds by which the clock was advanced.
    public var date: HTTPDate {
        let state = self.state.value
        let start = state.date.secondsSince1970
        let (seconds, overflows) = start.addingReportingOverflow(state.now.nanoseconds / 1_000_000_000)
        return HTTPDate(secondsSince1970: overflows ? .max : seconds)
    }

    /// The number of scheduled actions that wait for their instant, such as timeouts of a client.
    public var scheduledCount: Int { self.state.value.entries.count }

    /// The delays until the scheduled actions are due, shortest first.
    public var scheduledDelays: [Duration] {
        let state = self.state.value
        return state.entries.values.map { state.now.duration(to: $0.instant) }.sorted()
    }

    public func schedule(
        at instant: ClockInstant,
        _ action: @escaping @Sendable () -> Void
    ) -> ScheduledAction {
        let number: Int? = self.state.update { state in
            guard instant > state.now else { return nil }
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(instant: instant, action: action)
            return state.lastNumber
        }
        guard let number else {
            // The action is already due. It runs in its own task, because the caller may hold a lock.
            let task = Task.detached { if !Task.isCancelled { action() } }
            return ScheduledAction { task.cancel() }
        }
        return ScheduledAction { [weak self] in
            self?.state.update { state in state.entries[number] = nil }
        }
    }

    /// Advances the clock, and calls the actions that become due, in the order of their instants.
    ///
    /// When an action runs, the clock shows the instant of that action. Traps if the duration is negative.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "a clock cannot be advanced by a negative duration")
        let end = self.now.advanced(by: duration)
        while let action = self.state.update({ $0.advance(until: end) }) { action() }
    }

    /// Waits until at least `count` actions are scheduled.
    ///
    /// Throws ``TestStallError`` after a minute of real time or more, and returns at once if the task is cancelled.
    public func waitForScheduled(count: Int = 1) async throws(TestStallError) {
        try await self.state.wait(for: count.counted("timer"), butFound: Self.found) { $0.entries.count >= count }
    }

    /// Waits until an action is due in exactly `delay` by this clock; the delay tells it from other timers of a client.
    public func waitForScheduled(in delay: Duration) async throws(TestStallError) {
        try await self.state.wait(for: "a timer that is due in \(delay)", butFound: Self.found) { state in
            // Compare instants, not delays: an instant is a whole number of nanoseconds; a random delay need not be.
            let instant = state.now.advanced(by: delay)
            return state.entries.values.contains { $0.instant == instant }
        }
    }

    /// Waits until an action is due in at most `delay` by this clock, such as a retry after a random pause of up to `delay`.
    public func waitForScheduled(within delay: Duration) async throws(TestStallError) {
        try await self.state.wait(for: "a timer that is due within \(delay)", butFound: Self.found) { state in
            let instant = state.now.advanced(by: delay)
            return state.entries.values.contains { $0.instant <= instant }
        }
    }

    private static func found(_ state: State) -> String {
        let delays = state.entries.values.map { state.now.duration(to: $0.instant) }.sorted()
        return delays.isEmpty ? "none" : "timers that are due in \(delays.listed({ "\($0)" }, none: ""))"
    }
}
