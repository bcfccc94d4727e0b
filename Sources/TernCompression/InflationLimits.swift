// SPDX-License-Identifier: Apache-2.0

/// How much may come out of compressed content.
///
/// A few kilobytes can stand for gigabytes: deflate reaches a ratio of 1032 to 1, and codings can be nested. The limits
/// hold while decoding: a ``ContentDecoder`` never writes a byte more than they allow.
public struct InflationLimits: Hashable, Sendable {
    /// How many bytes may come out in all; `nil`, the default, for no limit.
    ///
    /// Defaults to none, because content is read as a stream, by a caller that knows how much of it is too much.
    package var maximumByteCount: Int64?
    /// How many bytes may come out for each byte that went in; `nil` for no limit.
    ///
    /// The default, 100, is that of Apache POI's `ZipSecureFile`; Hummingbird's default is 25, without any floor. Text
    /// reaches 3 to 10, and very repetitive JSON or logs somewhat under 100.
    package var maximumRatio: Int?
    /// How many bytes may come out before the ratio counts; 1 MiB by default.
    ///
    /// Small content often is repetitive, such as an empty table, and does no harm.
    package var ratioFloorByteCount: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumByteCount: How many bytes may come out in all, 0 or more. Defaults to `nil`, no limit, because content is
    ///     read as a stream, by a caller that knows how much of it is too much.
    ///   - maximumRatio: How many bytes may come out for each that went in, 1 or more, or `nil`. Defaults to 100, as in Apache
    ///     POI's `ZipSecureFile`; text reaches 3 to 10, and very repetitive JSON or logs somewhat under 100.
    ///   - ratioFloorByteCount: How many bytes may come out before the ratio counts. Defaults to 1 MiB: small content often is
    ///     repetitive, such as an empty table, and does no harm.
    public init(
        maximumByteCount: Int64? = nil,
        maximumRatio: Int? = 100,
        ratioFloorByteCount: Int64 = 1 << 20
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumRatio = maximumRatio
        self.ratioFloorByteCount = ratioFloorByteCount
    }

    /// How many bytes may have come out once `receivedByteCount` bytes went in.
    func allowedByteCount(receivedByteCount: Int64) -> Int64 {
        let byRatio = self.maximumRatio.map { ratio in
            let (product, isTooLarge) = receivedByteCount.multipliedReportingOverflow(by: Int64(max(0, ratio)))
            return isTooLarge ? .max : max(product, self.ratioFloorByteCount)
        }
        return max(0, min(self.maximumByteCount ?? .max, byRatio ?? .max))
    }
}
