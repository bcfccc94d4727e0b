// SPDX-License-Identifier: Apache-2.0

/// Estimates how fast a transfer is just now: its mean over the last few seconds.
///
/// Knows no clock; the caller says when.
struct RateMeter: Sendable {
    private struct Sample {
        var byteCount: Int64
        var time: Duration
    }

    private let window: Duration
    private var samples: [Sample]

    /// Begins at zero bytes.
    ///
    /// - Parameters:
    ///   - window: how far back the mean goes; 3 seconds by default: steady to read, quick to follow.
    ///   - start: when the transfer began.
    init(window: Duration = .seconds(3), start: Duration = .zero) {
        self.window = window
        self.samples = [Sample(byteCount: 0, time: start)]
    }

    /// Takes note of how far the transfer is; times must not go back.
    mutating func record(byteCount: Int64, at time: Duration) {
        self.samples.append(Sample(byteCount: byteCount, time: time))
        // The newest sample at or before the start of the window stays: the mean goes back that far at least.
        let start = time - self.window
        while self.samples.count > 2, self.samples[1].time <= start { self.samples.removeFirst() }
    }

    /// How long to measure before saying anything: what comes first is a burst, or a buffer that fills.
    private static let minimumSpan = Duration.milliseconds(300)

    /// Bytes per second; `nil` until some time has passed.
    var bytesPerSecond: Double? {
        guard let first = self.samples.first, let last = self.samples.last, last.time - first.time >= Self.minimumSpan
        else { return nil }
        return Double(last.byteCount - first.byteCount) / ((last.time - first.time) / .seconds(1))
    }
}
