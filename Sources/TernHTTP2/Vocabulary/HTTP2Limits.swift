// SPDX-License-Identifier: Apache-2.0

/// Limits for what a server may send, so that it cannot fill memory or keep the client busy.
///
/// Limits on how often frames may come are in ``FloodLimits``.
package struct HTTP2Limits: Hashable, Sendable {
    /// The longest field list of a response or of a trailer section, in bytes as RFC 9113 §6.5.2 counts: names, values,
    /// and 32 bytes for each field.
    ///
    /// The server learns it from SETTINGS_MAX_HEADER_LIST_SIZE. A longer one resets its stream.
    ///
    /// Defaults to 256 KiB, like a head in HTTP/1.1. Precedents: OkHttp and Chrome 256 KiB, hyper 16 KiB, Go 10 MiB.
    package var maximumFieldListByteCount = 256 << 10

    /// The longest field list that is decoded at all, and the longest field block that is gathered, in bytes.
    ///
    /// A list that is too long must be decoded to its end, because the fields of later ones refer to it. One that is
    /// longer than this ends the connection. Defaults to 512 KiB: twice what the server was told.
    package var largestFieldListByteCount = 512 << 10

    /// The most CONTINUATION frames in one field block.
    ///
    /// Defaults to 32, the frames that the longest block takes (CVE-2024-27316, CVE-2023-45288). Precedents:
    /// swift-nio-http2 5, nghttp2 8, h2 for Rust derives it from the length, as here.
    package var maximumContinuationCount = 32

    /// The most interim (1xx) responses before the final one; 32 by default, as in HTTP/1.1.
    package var maximumInterimCount = 32

    /// The table that the server's field compression may use, in bytes; it learns it from SETTINGS_HEADER_TABLE_SIZE.
    ///
    /// Defaults to 4096, like RFC 9113, nghttp2 and Go; Chrome has 64 KiB.
    package var decoderTableByteCount = 4096

    /// The largest table of the client's field compression, in bytes, even if the server allows more.
    ///
    /// Defaults to 4096. Precedent: nghttp2.
    package var encoderTableByteCount = 4096

    /// How many streams that the client reset are remembered, so that frames which the server sent before it knew are
    /// ignored without an answer.
    ///
    /// Defaults to 256, in 1 KiB. Precedents: h2 for Rust 50 for 1 s, nghttp2 100. A frame for one that is forgotten
    /// costs a RST_STREAM, and nothing else.
    package var rememberedResetCount = 256

    /// How often frames may come that bring nothing.
    package var floods = FloodLimits()

    /// Creates the default limits; change what must differ.
    package init() {}
}
