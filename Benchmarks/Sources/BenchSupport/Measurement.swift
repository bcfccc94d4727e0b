// SPDX-License-Identifier: Apache-2.0

/// A measurement, which is printed as one line of JSON.
struct Measurement {
    var peer: String
    var label: String
    var requests: Int
    var bytes: Int
    var seconds: Double
    var processorSeconds: Double
    var idleKiB: Int
    var peakKiB: Int
    /// The median of the round trips in microseconds; `nil` if the case does not measure them.
    var medianTripMicroseconds: Double?

    /// Measures `work`.
    ///
    /// The memory before the work is the memory that is resident at the call.
    ///
    /// - Parameters:
    ///   - peer: The name of the peer.
    ///   - label: The name of the measurement.
    ///   - work: A closure that does the work, and returns the number of requests and of their bytes of content.
    /// - Throws: An error of `work`.
    init(of peer: String, label: String, work: () async throws -> (requests: Int, bytes: Int)) async throws {
        Resources.forgetPeak()
        let idleKiB = Resources.residentKiB
        let processorSeconds = Resources.processorSeconds
        let start = ContinuousClock.now
        let done = try await work()
        self.seconds = (ContinuousClock.now - start) / .seconds(1)
        self.processorSeconds = Resources.processorSeconds - processorSeconds
        self.peer = peer
        self.label = label
        self.requests = done.requests
        self.bytes = done.bytes
        self.idleKiB = idleKiB
        self.peakKiB = Resources.peakKiB
    }

    /// The line of JSON, without a line feed.
    var json: String {
        """
        {"peer": "\(self.peer)", "case": "\(self.label)", "requests": \(self.requests), "bytes": \(self.bytes), \
        "seconds": \(self.seconds), "cpuSeconds": \(self.processorSeconds), \
        "rssIdleKiB": \(self.idleKiB), "rssPeakKiB": \(self.peakKiB)\(self.trips)}
        """
    }

    private var trips: String { self.medianTripMicroseconds.map { ", \"p50Microseconds\": \($0)" } ?? "" }
}
