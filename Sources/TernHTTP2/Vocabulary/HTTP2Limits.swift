// SPDX-License-Identifier: Apache-2.0

/// Limits that prevent a server from filling the client's memory, and from keeping the client busy.
///
/// ``FloodLimits`` contains the limits for frames that come too often.
package struct HTTP2Limits: Hashable, Sendable {
    /// The length of the longest field list of a response head or of a trailer section, in bytes.
    ///
    /// RFC 9113 §6.5.2 counts names, values, and 32 bytes for each field.
    ///
    /// The client announces this limit to the server in SETTINGS_MAX_HEADER_LIST_SIZE. If a list is longer, the client
    /// resets its stream.
    ///
    /// Defaults to 256 KiB, as for a head in HTTP/1.1. For comparison: OkHttp and Chrome accept 256 KiB, hyper 16 KiB,
    /// and Go 10 MiB.
    package var maximumFieldListByteCount = 256 << 10

    /// The length of the longest field list that the client decodes, and of the longest field block that it gathers, in
    /// bytes.
    ///
    /// If a list is longer than ``maximumFieldListByteCount``, the client still decodes it to its end, because later
    /// blocks may refer to its fields. A list or block over this limit ends the connection. Defaults to 512 KiB, twice
    /// ``maximumFieldListByteCount``.
    package var maximumDecodedFieldListByteCount = 512 << 10

    /// The largest number of fields in a response or in a trailer section.
    ///
    /// Defaults to 1,000, as for a head in HTTP/1.1. The client resets the stream of a response with more fields.
    package var maximumFieldCount = 1000

    /// The largest number of CONTINUATION frames in one field block.
    ///
    /// Defaults to 32, because 32 frames of 16 KiB hold the longest block of 512 KiB (CVE-2024-27316, CVE-2023-45288).
    /// For comparison: swift-nio-http2 accepts 5 and nghttp2 8. h2 for Rust also derives its limit from the length of
    /// the longest block.
    package var maximumContinuationCount = 32

    /// The largest number of interim (1xx) responses before the final response.
    ///
    /// Defaults to 32, as in HTTP/1.1.
    package var maximumInterimCount = 32

    /// The number of bytes of a request's content for which one more interim response may arrive.
    ///
    /// A server may acknowledge each packet of an upload that can be resumed.
    static let byteCountPerInterim: Int64 = 1024

    /// Returns the maximum number of interim responses to a request with content.
    func interimLimit(whileSending byteCount: Int64) -> Int {
        let (limit, overflows) = Int(clamping: byteCount / Self.byteCountPerInterim)
            .addingReportingOverflow(self.maximumInterimCount)
        return overflows ? .max : limit
    }

    /// The size of the largest dynamic table that the server may use to compress its fields, in bytes.
    ///
    /// The client announces this size to the server in SETTINGS_HEADER_TABLE_SIZE.
    ///
    /// Defaults to 4096, as in RFC 9113, nghttp2 and Go. Chrome uses 64 KiB.
    package var decoderTableByteCount = 4096

    /// The size of the largest dynamic table that the client uses to compress its fields, in bytes, even if the server
    /// allows more.
    ///
    /// Defaults to 4096, like nghttp2.
    package var encoderTableByteCount = 4096

    /// The number of reset streams that the client remembers at least.
    ///
    /// If more streams are open at the same time, the client remembers twice as many as were open, because an
    /// application may cancel all of their calls at once.
    ///
    /// The client ignores late frames for these streams: frames that the server sent before it received the reset. If
    /// the client no longer remembers the stream, it answers a late HEADERS or DATA frame with another RST_STREAM, and
    /// the frame counts for `FloodLimits.malformed`.
    ///
    /// Defaults to 256, which takes 1 KiB. For comparison: h2 for Rust remembers 50 for a second, and nghttp2 100.
    package var rememberedResetCount = 256

    /// The limits for frames that make work for the client and carry no response.
    package var floods = FloodLimits()

    /// Creates the default limits.
    package init() {}
}
