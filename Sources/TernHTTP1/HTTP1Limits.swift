// SPDX-License-Identifier: Apache-2.0
import TernFields

/// Limits for all parts of a response except the data of its body, so that a server cannot fill the client's memory.
///
/// A negative value counts as 0.
public struct HTTP1Limits: Hashable, Sendable {
    /// The maximum length of each head in bytes; 256 KiB by default, like Chrome.
    public var maximumHeadByteCount: Int = 256 << 10

    /// The maximum number of fields in a head or a trailer section; 1,000 by default.
    ///
    /// A value above 65,534 counts as 65,534, which is the maximum of `HTTPFields`.
    public var maximumFieldCount: Int = 1000

    /// The maximum length of a trailer section, in bytes; 16 KiB by default.
    ///
    /// Beyond it, the decoder throws an ``HTTP1Violation``, and reading the body throws `ClientError.protocolViolation`.
    public var maximumTrailerByteCount: Int = 16 << 10

    /// The maximum length of the first line of a chunk, in bytes, including extensions and CRLF; 4 KiB by default.
    ///
    /// Beyond it, the decoder throws an ``HTTP1Violation``, and reading the body throws `ClientError.protocolViolation`.
    public var maximumChunkLineByteCount: Int = 4 << 10

    /// The maximum number of bytes of chunk framing beyond an allowance, in a whole body; 16 KiB by default, as in Go.
    ///
    /// Beyond it, the decoder throws an ``HTTP1Violation``, and reading the body throws `ClientError.protocolViolation`.
    /// The framing of a chunk is its first line and a CRLF. The allowance of a chunk is 16 bytes, plus twice the length of its data.
    /// A chunk whose framing is shorter than its allowance reduces the sum, but not below 0.
    public var maximumExcessChunkFramingByteCount: Int = 16 << 10

    /// The maximum number of interim (1xx) responses, plus one for each KiB of a sent body of known length; 32 by default.
    ///
    /// Beyond it, the decoder throws an ``HTTP1Violation``, and a client's call throws `ClientError.protocolViolation`, or
    /// `proxyFailed` if a proxy answers CONNECT so. A decoder alone adds nothing.
    public var maximumInformationalCount: Int = 32

    /// The limits with values with which a decoder can compute, because a server must not be able to cause a trap.
    var usable: HTTP1Limits {
        var limits = self
        limits.maximumHeadByteCount = max(0, self.maximumHeadByteCount)
        limits.maximumFieldCount = min(max(0, self.maximumFieldCount), FieldSection.largestCount)
        limits.maximumTrailerByteCount = max(0, self.maximumTrailerByteCount)
        limits.maximumChunkLineByteCount = max(0, self.maximumChunkLineByteCount)
        limits.maximumExcessChunkFramingByteCount = max(0, self.maximumExcessChunkFramingByteCount)
        limits.maximumInformationalCount = max(0, self.maximumInformationalCount)
        return limits
    }

    private static let byteCountPerInformational: Int64 = 1024

    package func whileSending(_ byteCount: Int64) -> HTTP1Limits {
        var limits = self
        let (limit, overflows) = Int(clamping: byteCount / Self.byteCountPerInformational)
            .addingReportingOverflow(self.maximumInformationalCount)
        limits.maximumInformationalCount = overflows ? .max : limit
        return limits
    }

    /// Creates the default limits.
    public init() {}
}
