// SPDX-License-Identifier: Apache-2.0

/// The limits for the length of content after decompression.
///
/// A few kilobytes can expand to gigabytes: deflate reaches a ratio of 1032 to 1, and codings can be nested. The limits
/// apply during decoding: a ``ContentDecoder`` never writes more bytes than the limits allow.
public struct InflationLimits: Hashable, Sendable {
    /// The maximum number of decompressed bytes, or `nil` for no limit.
    ///
    /// Defaults to `nil`, because the caller reads content as a stream, and can stop at any length.
    package var maximumByteCount: Int64?
    /// The maximum number of decompressed bytes for each compressed byte, or `nil` for no limit.
    ///
    /// Defaults to 100, like Apache POI's `ZipSecureFile`. Hummingbird's default is 25, for content of any length. Text
    /// reaches a ratio of 3 to 10, and very repetitive JSON or logs reach somewhat under 100.
    package var maximumRatio: Int?
    /// The number of decompressed bytes below which the ratio does not apply.
    ///
    /// Defaults to 1 MiB. Small content is often repetitive, such as an empty table, and does no harm.
    package var ratioFloorByteCount: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The maximum number of decompressed bytes, 0 or more. Defaults to `nil`, which sets no
    ///     limit, because the caller reads content as a stream, and can stop at any length.
    ///   - maximumRatio: The maximum number of decompressed bytes for each compressed byte, 1 or more, or `nil` for no
    ///     limit. Defaults to 100, like Apache POI's `ZipSecureFile`. Text reaches a ratio of 3 to 10, and very
    ///     repetitive JSON or logs reach somewhat under 100.
    ///   - ratioFloorByteCount: The number of decompressed bytes below which the ratio does not apply. Defaults to 1
    ///     MiB, because small content is often repetitive, such as an empty table, and does no harm.
    public init(
        maximumByteCount: Int64? = nil,
        maximumRatio: Int? = 100,
        ratioFloorByteCount: Int64 = 1 << 20
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumRatio = maximumRatio
        self.ratioFloorByteCount = ratioFloorByteCount
    }

    /// Returns the maximum number of bytes that the decoder may write in total, after `receivedByteCount` bytes of
    /// input.
    func allowedByteCount(receivedByteCount: Int64) -> Int64 {
        let byRatio = self.maximumRatio.map { ratio in
            let (product, isTooLarge) = receivedByteCount.multipliedReportingOverflow(by: Int64(max(0, ratio)))
            return isTooLarge ? .max : max(product, self.ratioFloorByteCount)
        }
        return max(0, min(self.maximumByteCount ?? .max, byRatio ?? .max))
    }
}
