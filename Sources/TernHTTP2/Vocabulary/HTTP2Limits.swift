// SPDX-License-Identifier: Apache-2.0

/// Limits that keep a server from filling the client's memory or keeping the client busy.
///
/// ``FloodLimits`` holds the limits for frames that come too often.
package struct HTTP2Limits: Hashable, Sendable {
    /// The longest field list of a response or of a trailer section, in bytes.
    ///
    /// RFC 9113 §6.5.2 counts names, values, and 32 bytes for each field.
    ///
    /// SETTINGS_MAX_HEADER_LIST_SIZE announces it to the server. The client resets the stream of a longer list.
    ///
    /// Defaults to 256 KiB, as for a head in HTTP/1.1. Precedents: OkHttp and Chrome 256 KiB, hyper 16 KiB, Go 10 MiB.
    package var maximumFieldListByteCount = 256 << 10

    /// The longest field list that the client decodes, and the longest field block that it gathers, in bytes.
    ///
    /// The client decodes a list over ``maximumFieldListByteCount`` to its end, because later blocks refer to its
    /// fields. A list over this limit ends the connection. Defaults to 512 KiB: twice the length that the server was
    /// told.
    package var maximumDecodedFieldListByteCount = 512 << 10

    /// The largest number of fields in a response or in a trailer section.
    ///
    /// Defaults to 1,000, as for a head in HTTP/1.1. The client resets the stream of a response with more fields.
    package var maximumFieldCount = 1000

    /// The largest number of CONTINUATION frames in one field block.
    ///
    /// Defaults to 32, which is enough for the longest block (CVE-2024-27316, CVE-2023-45288). Precedents:
    /// swift-nio-http2 5, nghttp2 8, h2 for Rust derives it from the length, as here.
    package var maximumContinuationCount = 32

    /// The largest number of interim (1xx) responses before the final one.
    ///
    /// Defaults to 32, as in HTTP/1.1.
    package var maximumInterimCount = 32

    /// The largest table that the server's field compression may use, in bytes.
    ///
    /// SETTINGS_HEADER_TABLE_SIZE announces it to the server.
    ///
    /// Defaults to 4096, like RFC 9113, nghttp2 and Go; Chrome has 64 KiB.
    package var decoderTableByteCount = 4096

    /// The largest table that the client's field compression uses, in bytes, even if the server allows more.
    ///
    /// Defaults to 4096. Precedent: nghttp2.
    package var encoderTableByteCount = 4096

    /// The number of streams that the client remembers having reset.
    ///
    /// The client silently ignores late frames for these streams, which the server sent before it knew of the reset.
    ///
    /// Defaults to 256, in 1 KiB. Precedents: h2 for Rust 50 for 1 s, nghttp2 100. A late frame for a forgotten stream
    /// only makes the client send another RST_STREAM.
    package var rememberedResetCount = 256

    /// The budgets for frames that bring the client nothing.
    package var floods = FloodLimits()

    /// Creates the default limits.
    package init() {}
}
