// SPDX-License-Identifier: Apache-2.0

/// Limits that prevent a server from filling the client's memory, and from keeping the client busy.
package struct HTTP2Limits: Hashable, Sendable {
    /// The length of the longest field list, in bytes as RFC 9113 §6.5.2 counts them.
    ///
    /// Beyond it, the client resets the stream with ENHANCE_YOUR_CALM. The client announces this limit in
    /// SETTINGS_MAX_HEADER_LIST_SIZE. The default is that of a head in HTTP/1.1.
    package var maximumFieldListByteCount = 256 << 10

    /// The length of the longest field list to decode, and of the longest block to gather.
    ///
    /// Beyond it, the connection ends with ENHANCE_YOUR_CALM. A list that is longer than ``maximumFieldListByteCount``, but not
    /// longer than this limit, is decoded, because later blocks may refer to its fields.
    package var maximumDecodedFieldListByteCount = 512 << 10

    /// The largest number of fields in a response or in a trailer section, as for a head in HTTP/1.1.
    package var maximumFieldCount = 1000

    /// The largest number of CONTINUATION frames, of which 32 hold the longest block (CVE-2024-27316, CVE-2023-45288).
    ///
    /// Beyond it, the connection ends with ENHANCE_YOUR_CALM.
    package var maximumContinuationCount = 32

    /// The maximum number of interim (1xx) responses, plus one for each KiB of a sent body of known length.
    ///
    /// Beyond it, the client resets the stream with ENHANCE_YOUR_CALM.
    package var maximumInterimCount = 32

    /// The number of bytes of a request's content for which one more interim response may arrive, to acknowledge an upload.
    static let byteCountPerInterim: Int64 = 1024

    func interimLimit(whileSending byteCount: Int64) -> Int {
        let (limit, overflows) = Int(clamping: byteCount / Self.byteCountPerInterim)
            .addingReportingOverflow(self.maximumInterimCount)
        return overflows ? .max : limit
    }

    /// The size of the largest dynamic table for the server, in bytes, announced in SETTINGS_HEADER_TABLE_SIZE.
    package var decoderTableByteCount = 4096

    /// The size of the largest dynamic table that the client uses, in bytes, even if the server allows more.
    package var encoderTableByteCount = 4096

    /// The number of reset streams that the client remembers at least, to ignore frames that the server sent before the reset.
    ///
    /// It also remembers at least twice as many streams as were open at a reset. A late frame of a forgotten stream counts for
    /// ``FloodLimits/malformed``.
    package var rememberedResetCount = 256

    package var floods = FloodLimits()

    package init() {}
}
