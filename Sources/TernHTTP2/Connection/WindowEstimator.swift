// SPDX-License-Identifier: Apache-2.0

/// Measures the amount of data that arrives in one round trip, to determine the size of the receive window.
///
/// While data arrives, the client sends a PING now and then. The data that arrives before the answer is the amount for
/// one round trip. If this amount is most of the window, the window limits the transfer, so its size doubles. gRPC and
/// hyper measure in the same way.
///
/// In three cases, the window does not grow, because a larger window would only use more memory. If the bandwidth is
/// not higher than in all earlier measurements, the last growth did not help. If most of the window waits to be read,
/// the reader limits the transfer. If the answer takes much longer than the shortest round trip, the data waits in
/// buffers on the way, so the line or the processor limits the transfer. The shortest round trip then carries far less
/// than the window.
///
/// The first round trip is known before much data arrives, because the server acknowledges SETTINGS at once. If a line
/// with `FlowPolicy.assumedBytesPerSecond` carries more than the window in this round trip, the window grows to that
/// number of bytes.
///
/// The client sends no PING before a quarter of the window has arrived since the last answer, or after the window has
/// reached its largest size.
package struct WindowEstimator: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// No PING is in flight. The client sends the next PING at or after the time `until`, once a quarter of the
        /// window has arrived. Exits: `measuring`, `done`.
        case waiting(until: Duration, byteCount: Int)
        /// A PING is in flight. Exits: `waiting`, `done`.
        case measuring(since: Duration, byteCount: Int)
        /// The window has its largest size, so there are no more measurements.
        case done
    }

    /// The size that the window of a stream should have, in bytes.
    package private(set) var windowByteCount: Int
    private let maximumByteCount: Int
    /// See ``FlowPolicy/assumedBytesPerSecond``.
    private let assumedBytesPerSecond: Int
    private var state = State.waiting(until: .zero, byteCount: 0)
    private var roundTrip: Duration?
    /// The shortest round trip so far, which shows the delay of the line without waiting data.
    private var shortestRoundTrip: Duration?
    /// The highest bandwidth so far, in bytes a second.
    private var bandwidth = 0.0
    /// The shortest time to the next PING after an answer that does not raise the window.
    ///
    /// The time doubles, up to 10 seconds, with each such answer. An answer that raises the window sets the time back
    /// to 100 milliseconds, and the next PING does not wait.
    private var pause = WindowEstimator.shortestPause

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(10)
    /// The limit for the growth of the window, as a number of shortest round trips.
    ///
    /// The window grows only while it is smaller than the data of this number of round trips. The delay of a radio link
    /// varies by this factor.
    private static let roundTripCount = 4.0

    /// Creates an estimator for a window of `windowByteCount` bytes.
    package init(windowByteCount: Int, maximumByteCount: Int, assumedBytesPerSecond: Int = 0) {
        (self.windowByteCount, self.maximumByteCount) = (windowByteCount, maximumByteCount)
        self.assumedBytesPerSecond = assumedBytesPerSecond
        if windowByteCount >= maximumByteCount { self.state = .done }
    }

    /// Records a round trip that was measured while no data was in flight.
    ///
    /// Raises the window only if no round trip was known before.
    ///
    /// - Parameter roundTrip: The time from the first SETTINGS to their acknowledgement.
    /// - Returns: The new size of the window, or `nil` if the size stays the same.
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

    /// Evaluates the answer to the PING.
    ///
    /// - Parameters:
    ///   - time: The time of the answer.
    ///   - unreadByteCount: The number of unread bytes of the stream on which data arrived last.
    /// - Returns: The new size of the window, or `nil` if the size stays the same.
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

    /// Returns the number of bytes that arrive in the shortest round trip, at the rate at which `byteCount` bytes
    /// arrived in `sample`.
    private func lineByteCount(of byteCount: Int, in sample: Duration) -> Double {
        Double(byteCount) * ((self.shortestRoundTrip ?? sample) / sample)
    }
}
