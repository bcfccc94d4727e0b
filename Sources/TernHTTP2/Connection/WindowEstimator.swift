// SPDX-License-Identifier: Apache-2.0

/// Measures how much is under way in one round trip, and says how large a window has to be.
///
/// While data comes, a PING is sent now and then. What comes before its answer is what the line and the window let
/// through in one round trip. If that is most of the window, the window is the bottleneck, and doubles. gRPC and hyper
/// measure the same way. No PING is sent once the window is as large as it may be, nor where only small responses come.
package struct WindowEstimator: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// No PING is under way, and none is sent before the time, nor before a quarter of the window has come. Exit:
        /// `measuring`.
        case waiting(until: Duration, byteCount: Int)
        /// A PING is under way. Exit: `waiting`.
        case measuring(since: Duration, byteCount: Int)
        /// The window is as large as it may be.
        case done
    }

    /// How large the window of a stream should be, in bytes.
    package private(set) var windowByteCount: Int
    private let maximumByteCount: Int
    private var state = State.waiting(until: .zero, byteCount: 0)
    private var roundTrip: Duration?
    /// The highest bandwidth so far, in bytes a second.
    private var bandwidth = 0.0
    /// How long after an answer the next PING is sent.
    ///
    /// It grows while measuring brings nothing.
    private var pause = WindowEstimator.shortestPause

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(10)

    /// Creates an estimator of a window that is `windowByteCount` bytes large now.
    package init(windowByteCount: Int, maximumByteCount: Int) {
        (self.windowByteCount, self.maximumByteCount) = (windowByteCount, maximumByteCount)
        if windowByteCount >= maximumByteCount { self.state = .done }
    }

    /// Data came; `true` if a PING has to be sent now.
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

    /// The answer to the PING came; the new window if it has to grow.
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
