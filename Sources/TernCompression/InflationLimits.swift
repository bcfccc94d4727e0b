// SPDX-License-Identifier: Apache-2.0

/// The limits for the length of content that Tern decompresses: deflate reaches a ratio of 1032 to 1, and codings can be nested.
public struct InflationLimits: Hashable, Sendable {
    package var maximumByteCount: Int64?
    package var maximumRatio: Int?
    package var ratioFloorByteCount: Int64

    /// Creates limits; a ``ContentDecoder`` throws ``ContentViolation`` instead of the errors below, which a client throws.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The maximum number of decompressed bytes; `nil`, the default, means no limit, because the caller can
    ///     stop at any length. Beyond it, reading throws `ClientError.bodyTooLarge`.
    ///   - maximumRatio: The maximum number of decompressed bytes for each compressed byte, 1 or more, or `nil` for no limit.
    ///     Beyond it, reading throws `ClientError.protocolViolation`. Most text reaches a ratio of 2 to 10, and very repetitive
    ///     JSON or logs can reach far more.
    ///   - ratioFloorByteCount: The decompressed length up to which the ratio does not apply, because small content is often
    ///     repetitive.
    public init(
        maximumByteCount: Int64? = nil,
        maximumRatio: Int? = 100,
        ratioFloorByteCount: Int64 = 1 << 20
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumRatio = maximumRatio
        self.ratioFloorByteCount = ratioFloorByteCount
    }

    func allowedByteCount(receivedByteCount: Int64) -> Int64 {
        let byRatio = self.maximumRatio.map { ratio in
            let (product, isTooLarge) = receivedByteCount.multipliedReportingOverflow(by: Int64(max(0, ratio)))
            return isTooLarge ? .max : max(product, self.ratioFloorByteCount)
        }
        return max(0, min(self.maximumByteCount ?? .max, byRatio ?? .max))
    }
}
