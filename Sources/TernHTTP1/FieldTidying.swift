// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Brings lines that a ``FieldScan`` accepted into the form of a `FieldSection`, in linear time, without moving any bytes.
enum FieldTidying {
    static func tidy(_ bytes: inout [UInt8], from start: Int) {
        var lineStart = start
        while lineStart < bytes.count { lineStart = Self.tidyField(&bytes, from: lineStart) }
    }

    /// Tidies a field and the lines that continue it; returns the start of the next field.
    private static func tidyField(_ bytes: inout [UInt8], from start: Int) -> Int {
        let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count - 1
        var nameEnd = colon
        while nameEnd > start, ByteView.isBlank(bytes[nameEnd - 1]) { nameEnd -= 1 }
        if nameEnd < colon { (bytes[nameEnd], bytes[colon]) = (UInt8(ascii: ":"), .space) }
        // RFC 6265bis §5.6: a user agent ignores a cookie with a control character. So control characters stay in
        // `Set-Cookie`, where the code that reads cookies must find them.
        let isCookie = bytes[start..<nameEnd].elementsEqual("set-cookie".utf8) { $0 | 0x20 == $1 }
        var (offset, textStart) = (colon + 1, colon + 1)
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") {
                guard offset < bytes.count, ByteView.isBlank(bytes[offset]) else { return offset }
                offset = Self.unfold(&bytes, lineFeed: offset - 1, textStart: textStart)
                textStart = offset
            } else if byte < 0x20 || byte == 0x7F, byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\r"), !isCookie {
                // RFC 9110 §5.5 calls control characters invalid. A space in their place is harmless for terminals and
                // other readers.
                bytes[offset - 1] = .space
            }
        }
        return offset
    }

    /// Replaces a line end within a value: "MUST replace each received obs-fold with one or more SP octets" (RFC 9112 §5.2).
    private static func unfold(_ bytes: inout [UInt8], lineFeed: Int, textStart: Int) -> Int {
        var start = lineFeed
        if start > textStart, bytes[start - 1] == UInt8(ascii: "\r") { start -= 1 }
        while start > textStart, ByteView.isBlank(bytes[start - 1]) { start -= 1 }
        var end = lineFeed + 1
        while end < bytes.count, ByteView.isBlank(bytes[end]) { end += 1 }
        for offset in start..<end { bytes[offset] = .space }
        return end
    }
}

extension UInt8 {
    fileprivate static let space = UInt8(ascii: " ")
}
