// SPDX-License-Identifier: Apache-2.0

/// Limits for the parts of a response outside its body, so that a server cannot fill the memory or stall forever.
public struct HTTP1Limits: Hashable, Sendable {
    /// The maximum length of a head, in bytes; each interim head is counted separately.
    ///
    /// Defaults to 256 KiB, like Chrome. Precedents: h11 and Node.js 16 KiB, Chrome 256 KiB, curl 300 KiB for all heads
    /// of a transfer, Go 10 MiB.
    public var maximumHeadByteCount: Int = 256 << 10

    /// The maximum number of fields in a head or in a trailer section.
    ///
    /// Defaults to 1,000; at most 65,534, as in `HTTPFields`. Precedents: hyper, Python and Apache httpd 100; curl
    /// 5,000; Chrome and Go limit only the bytes.
    public var maximumFieldCount: Int = 1000

    /// The maximum length of a trailer section, in bytes.
    ///
    /// Defaults to 16 KiB.
    ///
    /// Precedents: hyper 16 KiB, Tomcat 8 KiB.
    public var maximumTrailerByteCount: Int = 16 << 10

    /// The maximum length of the line before the data of a chunk, in bytes, extensions and CRLF included.
    ///
    /// Defaults to 4 KiB.
    ///
    /// Precedents: Go 4 KiB a line, Tomcat 8 KiB of extensions, hyper 16 KiB of extensions in a whole body.
    public var maximumChunkLineByteCount: Int = 4 << 10

    /// The maximum number of bytes of chunk framing beyond an allowance.
    ///
    /// Defaults to 16 KiB, as in Go. The allowance of each chunk is 16 bytes plus twice its data. Its line, extensions
    /// included, and the CRLF after its data count; the excess adds up over the body. Without this limit a server could
    /// send endless extensions and hardly any body.
    public var maximumExcessChunkFramingByteCount: Int = 16 << 10

    /// The maximum number of interim (1xx) responses before the final one.
    ///
    /// Defaults to 32.
    ///
    /// Precedent: Go first allowed 5, and later any number within its limit for heads. Servers may report slow work
    /// with many 102s.
    public var maximumInformationalCount: Int = 32

    /// Creates the default limits.
    ///
    /// Set properties to change them.
    public init() {}

    /// The maximum number of fields in `HTTPFields`.
    ///
    /// It also applies if ``maximumFieldCount`` is higher.
    static let largestFieldCount = Int(UInt16.max) - 1
}
