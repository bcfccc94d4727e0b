// SPDX-License-Identifier: Apache-2.0

/// Limits for all parts of a response except the data of its body.
///
/// They prevent a server from filling the client's memory, and from sending a head or chunk framing that never ends.
public struct HTTP1Limits: Hashable, Sendable {
    /// The maximum length of a head, in bytes.
    ///
    /// The head of each interim response counts separately.
    ///
    /// Defaults to 256 KiB, like Chrome. Precedents: h11 and Node.js 16 KiB, Chrome 256 KiB, curl 300 KiB for all heads
    /// of a transfer, Go 10 MiB.
    public var maximumHeadByteCount: Int = 256 << 10

    /// The maximum number of fields in a head or in a trailer section.
    ///
    /// Defaults to 1,000. Values above 65,534 count as 65,534, the maximum of `HTTPFields`. Precedents: hyper, Python
    /// and Apache httpd 100; curl 5,000; Chrome and Go limit only the bytes.
    public var maximumFieldCount: Int = 1000

    /// The maximum length of a trailer section, in bytes.
    ///
    /// Defaults to 16 KiB.
    ///
    /// Precedents: hyper 16 KiB, Tomcat 8 KiB.
    public var maximumTrailerByteCount: Int = 16 << 10

    /// The maximum length of the line before the data of a chunk, in bytes, including extensions and CRLF.
    ///
    /// Defaults to 4 KiB.
    ///
    /// Precedents: Go 4 KiB a line, Tomcat 8 KiB of extensions, hyper 16 KiB of extensions in a whole body.
    public var maximumChunkLineByteCount: Int = 4 << 10

    /// The maximum number of bytes of chunk framing beyond an allowance, in a whole body.
    ///
    /// Defaults to 16 KiB, as in Go. The framing of a chunk is the line before its data, including extensions, and the
    /// CRLF after its data. Each chunk has an allowance of 16 bytes, plus twice the length of its data. The bytes
    /// beyond the allowance add up over the body, and chunks that stay below their allowance reduce the sum. Without
    /// this limit, a server could send endless extensions with hardly any data.
    public var maximumExcessChunkFramingByteCount: Int = 16 << 10

    /// The maximum number of interim (1xx) responses before the final one.
    ///
    /// Defaults to 32. While the client sends a body of known length, the server may send one more for each KiB.
    ///
    /// Precedent: Go first allowed 5, and later any number within its limit for heads. Servers may report slow work
    /// with many 102s.
    public var maximumInformationalCount: Int = 32

    /// The number of bytes of a request's content for which one more interim response may arrive.
    ///
    /// A server may acknowledge each packet of an upload that can be resumed.
    private static let byteCountPerInformational: Int64 = 1024

    /// Returns these limits for a request with content, to which more interim responses may arrive.
    ///
    /// - Parameter byteCount: The length of the content in bytes; not negative.
    /// - Returns: The limits.
    package func whileSending(_ byteCount: Int64) -> HTTP1Limits {
        var limits = self
        let (limit, overflows) = Int(clamping: byteCount / Self.byteCountPerInformational)
            .addingReportingOverflow(self.maximumInformationalCount)
        limits.maximumInformationalCount = overflows ? .max : limit
        return limits
    }

    /// Creates the default limits.
    ///
    /// Set the properties to change the limits.
    public init() {}

    /// The maximum number of fields in `HTTPFields`.
    ///
    /// This maximum also applies if ``maximumFieldCount`` is larger.
    static let largestFieldCount = Int(UInt16.max) - 1
}
