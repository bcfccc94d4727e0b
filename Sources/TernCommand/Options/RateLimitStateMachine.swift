// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides when the next bytes may pass, so that their mean rate stays within a limit.
///
/// Each piece takes the time that its bytes need at the limit. If pieces come late, the ones after them may catch up.
struct RateLimitStateMachine: Sendable {
    /// Without a credit, the mean would stay below the limit; with a long one, the rate after a break would be too high.
    static let credit = Duration.seconds(1)
    private static let maximumRate = 1 << 50

    private let bytesPerSecond: Int64
    private var takenUntil: ClockInstant?
    /// The part of a nanosecond that the passed bytes have taken beyond this instant, times the rate.
    private var remainder: Int64 = 0

    init(bytesPerSecond: Int) { self.bytesPerSecond = Int64(min(max(1, bytesPerSecond), Self.maximumRate)) }

    /// A piece takes at most a tenth of a second, or is one byte, so that the bytes pass evenly; more than 64 KiB would only need
    /// memory.
    var maximumPieceByteCount: Int { Int(min(64 << 10, max(1, self.bytesPerSecond / 10))) }

    /// Returns the instant from which a piece of at most ``maximumPieceByteCount`` bytes may pass.
    mutating func admit(_ byteCount: Int, at now: ClockInstant) -> ClockInstant {
        let earliest = self.takenUntil == nil ? now : now.advanced(by: .zero - Self.credit)
        if self.takenUntil.map({ $0 < earliest }) ?? true {
            self.takenUntil = earliest
            self.remainder = 0
        }
        let start = self.takenUntil ?? now
        // At most 2^16 · 10^9 + 2^50, which is less than 2^63.
        let product = Int64(byteCount) * 1_000_000_000 + self.remainder
        self.takenUntil = start.advanced(by: .nanoseconds(product / self.bytesPerSecond))
        self.remainder = product % self.bytesPerSecond
        return max(start, now)
    }
}
