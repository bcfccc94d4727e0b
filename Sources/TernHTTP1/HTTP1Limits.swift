// SPDX-License-Identifier: Apache-2.0

/// Limits for the parts of a response that are not body, so that a server cannot fill memory or stall without end.
public struct HTTP1Limits: Hashable, Sendable {
    /// The longest head, in bytes, each interim head by itself.
    ///
    /// Defaults to 256 KiB, like Chrome. Precedents: h11 and Node.js 16 KiB, Chrome 256 KiB, curl 300 KiB for all heads of a transfer, Go 10 MiB.
    public var maximumHeadByteCount: Int = 256 << 10

    /// The most fields in a head or in a trailer section.
    ///
    /// Defaults to 1,000; at most 65,534, as in `HTTPFields`. Precedents: hyper, Python and Apache httpd 100; curl 5,000; Chrome and Go bound the bytes alone.
    public var maximumFieldCount: Int = 1000

    /// The longest trailer section, in bytes; 16 KiB by default.
    ///
    /// Precedents: hyper 16 KiB, Tomcat 8 KiB.
    public var maximumTrailerByteCount: Int = 16 << 10

    /// The longest line before the data of a chunk, in bytes, extensions and CRLF included; 4 KiB by default.
    ///
    /// Precedents: Go 4 KiB a line, Tomcat 8 KiB of extensions, hyper 16 KiB of extensions in a whole body.
    public var maximumChunkLineByteCount: Int = 4 << 10

    /// The most bytes of chunk framing beyond what the chunks account for.
    ///
    /// Defaults to 16 KiB, as in Go. Each chunk accounts for 16 bytes and for twice its data; what its line, extensions
    /// included, and the CRLF behind its data take beyond that adds up over the body. Without this limit a server could
    /// send extensions without end and hardly any body.
    public var maximumExcessChunkFramingByteCount: Int = 16 << 10

    /// The most interim (1xx) responses before the final one; 32 by default.
    ///
    /// Precedent: Go 5, later any number within its limit for heads; servers may report slow work with many 102s.
    public var maximumInformationalCount: Int = 32

    /// Creates the default limits; change what must differ.
    public init() {}

    /// The most fields that `HTTPFields` holds; a higher ``maximumFieldCount`` counts as this.
    static let largestFieldCount = Int(UInt16.max) - 1
}
