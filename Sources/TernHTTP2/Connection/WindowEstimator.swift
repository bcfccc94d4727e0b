// SPDX-License-Identifier: Apache-2.0

/// Measures the amount of data that arrives in one round trip, between a PING and its answer, and sizes the receive window.
///
/// If this amount is most of the window, the window doubles, unless that would only use memory: the bandwidth is not higher than in
/// earlier measurements, most of the window waits to be read, or the answer takes much longer than the shortest round trip, because
/// data waits in buffers on the way.
package struct WindowEstimator: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// No measuring PING is in flight; one follows after `until` and a quarter of the window. Exits: `measuring`, `done`.
        case waiting(until: Duration, byteCount: Int)
        /// A measuring PING is in flight. Exits: `waiting`, `done`.
        case measuring(since: Duration, byteCount: Int)
        /// The window has reached its largest size, and no longer grows.
        case done
    }

    package private(set) var windowByteCount: Int
    private let maximumByteCount: Int
    private let assumedBytesPerSecond: Int
    private var state = State.waiting(until: .zero, byteCount: 0)
    private var roundTrip: Duration?
    /// The shortest round trip so far, which shows the delay of the line without waiting data.
    private var shortestRoundTrip: Duration?
    /// The highest bandwidth so far, in bytes a second.
    private var bandwidth = 0.0
    /// The time to the next PING, which doubles up to 10 seconds with each answer that does not raise the window.
    private var pause = WindowEstimator.shortestPause

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(10)
    /// The window grows only up to the data of this number of shortest round trips, by which the delay of a radio link varies.
    private static let roundTripCount = 4.0

    package init(windowByteCount: Int, maximumByteCount: Int, assumedBytesPerSecond: Int = 0) {
        (self.windowByteCount, self.maximumByteCount) = (windowByteCount, maximumByteCount)
        self.assumedBytesPerSecond = assumedBytesPerSecond
        if windowByteCount >= maximumByteCount { self.state = .done }
    }

    /// Records the time from the first SETTINGS to their acknowledgement; returns the new size of the window if it changes.
    package mutating func measured(_ roundTrip: Duration) -> Int? {
        let isFirst = self.shortestRoundTrip == nil
        self.note(roundTrip)
        let byteCount = FlowPolicy.byteCount(in: roundTrip, self.assumedBytesPerSecond, upTo: self.maximumByteCount)
        guard isFirst, byteCount > self.windowByteCount else { return nil }
        self.windowByteCount = byteCount
        if self.windowByteCount == self.maximumByteCount { self.state = .done }
        return self.windowByteCount
    }

    private mutating func note(_ roundTrip: Duration) {
        let roundTrip = max(roundTrip, .microseconds(1))
        self.shortestRoundTrip = min(self.shortestRoundTrip ?? roundTrip, roundTrip)
    }

    /// Counts received data, and returns whether the client must send a PING now.
    package mutating func received(_ byteCount: Int, at time: Duration) -> Bool {
        switch self.state {
        case .done: return false
        case .measuring(let since, let sum):
            self.state = .measuring(since: since, byteCount: sum + byteCount)
            return false
        case .waiting(let until, let sum):
            guard time >= until, sum + byteCount >= self.windowByteCount / 4 else {
                self.state = .waiting(until: until, byteCount: sum + byteCount)
                return false
            }
            self.state = .measuring(since: time, byteCount: 0)
            return true
        }
    }

    /// Evaluates the answer to the PING; returns the new size of the window if it changes.
    package mutating func answered(at time: Duration, unreadByteCount: Int) -> Int? {
        guard case .measuring(let since, let byteCount) = self.state else { return nil }
        self.state = .waiting(until: time + self.pause, byteCount: 0)
        let sample = max(time - since, .microseconds(1))
        self.note(sample)
        let roundTrip = self.roundTrip.map { $0 + (sample - $0) / 8 } ?? sample
        self.roundTrip = roundTrip
        let bandwidth = Double(byteCount) / (roundTrip / .seconds(1) * 1.5)
        let isLimitedByReader = unreadByteCount > self.windowByteCount / 2
        guard bandwidth > self.bandwidth, byteCount >= self.windowByteCount * 2 / 3, !isLimitedByReader,
            self.lineByteCount(of: byteCount, in: sample) * Self.roundTripCount > Double(self.windowByteCount)
        else {
            self.bandwidth = max(bandwidth, self.bandwidth)
            self.pause = min(self.pause * 2, Self.longestPause)
            return nil
        }
        self.bandwidth = bandwidth
        self.pause = Self.shortestPause
        self.windowByteCount = min(max(byteCount, self.windowByteCount) * 2, self.maximumByteCount)
        self.state = self.windowByteCount >= self.maximumByteCount ? .done : .waiting(until: time, byteCount: 0)
        return self.windowByteCount
    }

    /// Returns the number of bytes that arrive in the shortest round trip, at the rate of `byteCount` bytes in `sample`.
    private func lineByteCount(of byteCount: Int, in sample: Duration) -> Double {
        Double(byteCount) * ((self.shortestRoundTrip ?? sample) / sample)
    }
}
