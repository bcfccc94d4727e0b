// SPDX-License-Identifier: Apache-2.0

/// Measures the data that arrives in one round trip, and determines the size of the receive window.
///
/// While data comes, the client sends a PING now and then. The data that comes before the answer is the amount that the
/// line and the window let through in one round trip. If that is most of the window, the window is the bottleneck, and
/// doubles. gRPC and hyper measure in the same way. The client sends no PING once the window has its largest size, or
/// while only small responses come.
package struct WindowEstimator: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// No PING is in flight. The next one is sent after this time, once a quarter of the window has come. Exit:
        /// `measuring`.
        case waiting(until: Duration, byteCount: Int)
        /// A PING is in flight. Exits: `waiting`, `done`.
        case measuring(since: Duration, byteCount: Int)
        /// The window has its largest size.
        case done
    }

    /// The size that the window of a stream should have, in bytes.
    package private(set) var windowByteCount: Int
    private let maximumByteCount: Int
    private var state = State.waiting(until: .zero, byteCount: 0)
    private var roundTrip: Duration?
    /// The highest bandwidth so far, in bytes a second.
    private var bandwidth = 0.0
    /// The time from an answer to the next PING.
    ///
    /// It doubles with each measurement that does not raise the window, and shrinks again with one that does.
    private var pause = WindowEstimator.shortestPause

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(10)

    /// Creates an estimator for a window of `windowByteCount` bytes.
    package init(windowByteCount: Int, maximumByteCount: Int) {
        (self.windowByteCount, self.maximumByteCount) = (windowByteCount, maximumByteCount)
        if windowByteCount >= maximumByteCount { self.state = .done }
    }

    /// Counts received data; returns `true` if the client has to send a PING now.
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

    /// Evaluates the answer to the PING; returns the new size of the window, or `nil` if it stays the same.
    package mutating func answered(at time: Duration) -> Int? {
        guard case .measuring(let since, let byteCount) = self.state else { return nil }
        self.state = .waiting(until: time + self.pause, byteCount: 0)
        let sample = max(time - since, .microseconds(1))
        let roundTrip = self.roundTrip.map { $0 + (sample - $0) / 8 } ?? sample
        self.roundTrip = roundTrip
        let bandwidth = Double(byteCount) / (roundTrip / .seconds(1) * 1.5)
        guard bandwidth > self.bandwidth, byteCount >= self.windowByteCount * 2 / 3 else {
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
}
