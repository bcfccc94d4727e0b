// SPDX-License-Identifier: Apache-2.0

/// How much may come out of compressed content.
///
/// A few kilobytes can stand for gigabytes: deflate reaches a ratio of 1032 to 1, and codings can be nested. The limits
/// hold while decoding: a ``ContentDecoder`` never writes a byte more than they allow.
public struct InflationLimits: Hashable, Sendable {
    /// How many bytes may come out in all; `nil`, the default, for no limit.
    ///
    /// There is none by default because content is read as a stream, by whoever knows how much of it is too much.
    public var maximumByteCount: Int64?
    /// How many bytes may come out for each byte that went in; `nil` for no limit.
    ///
    /// The default, 100, is that of Apache POI's `ZipSecureFile`; Hummingbird's default is 25, without any floor. Text
    /// reaches 3 to 10, and very repetitive JSON or logs somewhat under 100.
    public var maximumRatio: Int?
    /// How many bytes may come out before the ratio counts; 1 MiB by default.
    ///
    /// Small content often is repetitive, such as an empty table, and does no harm.
    public var ratioFloorByteCount: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumByteCount: how many bytes may come out in all, 0 or more; no limit unless told.
    ///   - maximumRatio: how many bytes may come out for each that went in, 1 or more, or `nil`; 100 unless told.
    ///   - ratioFloorByteCount: how many bytes may come out before the ratio counts; 1 MiB unless told.
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
