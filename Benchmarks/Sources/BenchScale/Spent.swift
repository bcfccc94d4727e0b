// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport

/// The time that some work took.
struct Spent {
    let seconds: Double
    let processorSeconds: Double

    var milliseconds: String { (self.seconds * 1000).rounded1 }

    /// Measures work.
    static func by(_ work: () async throws -> Void) async rethrows -> Spent {
        let (start, processor) = (ContinuousClock.now, Resources.processorSeconds)
        try await work()
        return Spent(
            seconds: (ContinuousClock.now - start) / .seconds(1),
            processorSeconds: Resources.processorSeconds - processor
        )
    }

    func microsecondsOfProcessor(by count: Int) -> String {
        (self.processorSeconds * 1e6 / Double(count)).rounded1
    }
}

extension Double {
    /// The number with one digit after the decimal point.
    var rounded1: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
