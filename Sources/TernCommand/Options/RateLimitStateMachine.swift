// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides when the next bytes may pass, so that their mean rate stays within a limit.
///
/// Each piece takes the time that its bytes need at the limit, and the next piece may pass after that time. If pieces come
/// late, the ones after them may catch up on at most a second.
struct RateLimitStateMachine: Sendable {
    /// The time that pieces may catch up on.
    ///
    /// The rate varies on every network. Without this credit, the mean would stay below the limit. With a long credit,
    /// the rate after a break would be higher than the limit for a long time.
    static let credit = Duration.seconds(1)
    /// The highest limit that makes a difference, in bytes per second; higher ones count as this one.
    private static let maximumRate = 1 << 50

    private let bytesPerSecond: Int64
    /// The instant up to which the passed bytes have taken the time; `nil` before the first piece.
    private var takenUntil: ClockInstant?
    /// The part of a nanosecond that the passed bytes have taken beyond this instant, times the rate.
    private var remainder: Int64 = 0

    /// Creates a machine that has let nothing pass.
    ///
    /// - Parameter bytesPerSecond: The limit, in bytes per second; at least 1.
    init(bytesPerSecond: Int) { self.bytesPerSecond = Int64(min(max(1, bytesPerSecond), Self.maximumRate)) }

    /// The maximum length of a piece, in bytes.
    ///
    /// A piece takes at most a tenth of a second, so that the bytes pass evenly, unless the limit is below 10 bytes per
    /// second. A longer piece than 64 KiB would only need more memory.
    var maximumPieceByteCount: Int { Int(min(64 << 10, max(1, self.bytesPerSecond / 10))) }

    /// Lets a piece pass.
    ///
    /// - Parameters:
    ///   - byteCount: The length of the piece, in bytes; at most ``maximumPieceByteCount``.
    ///   - now: The current instant.
    /// - Returns: The instant from which the piece may pass; `now`, or a later one.
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
