// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
@_spi(CrossModuleInlining) import TernFields

/// Writes the frames of a client (RFC 9113 §6), without a check whether it may send them now.
package enum FrameEncoder: Sendable {
    /// The bytes with which a client begins a connection, before its SETTINGS (RFC 9113 §3.4).
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    package static func settings(_ settings: [(SettingIdentifier, UInt32)], into output: inout [UInt8]) {
        FrameHeader(.settings, payloadByteCount: 6 * settings.count).encode(into: &output)
        for (identifier, value) in settings {
            output.append(UInt8(truncatingIfNeeded: identifier.rawValue >> 8))
            output.append(UInt8(truncatingIfNeeded: identifier.rawValue))
            output.append(bigEndian: value)
        }
    }

    package static func settingsAcknowledgement(into output: inout [UInt8]) {
        FrameHeader(.settings, .acknowledgement, payloadByteCount: 0).encode(into: &output)
    }

    package static func ping(_ opaque: UInt64, isAnswer: Bool = false, into output: inout [UInt8]) {
        FrameHeader(.ping, isAnswer ? .acknowledgement : [], payloadByteCount: 8).encode(into: &output)
        output.append(bigEndian: UInt32(truncatingIfNeeded: opaque >> 32))
        output.append(bigEndian: UInt32(truncatingIfNeeded: opaque))
    }

    package static func windowUpdate(_ stream: HTTP2StreamID, increment: Int, into output: inout [UInt8]) {
        FrameHeader(.windowUpdate, stream: stream, payloadByteCount: 4).encode(into: &output)
        output.append(bigEndian: UInt32(truncatingIfNeeded: increment))
    }

    package static func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode, into output: inout [UInt8]) {
        FrameHeader(.reset, stream: stream, payloadByteCount: 4).encode(into: &output)
        output.append(bigEndian: code.rawValue)
    }

    package static func goAway(
        lastStream: HTTP2StreamID,
        _ code: HTTP2ErrorCode,
        debugData: [UInt8] = [],
        into output: inout [UInt8]
    ) {
        FrameHeader(.goAway, payloadByteCount: 8 + debugData.count).encode(into: &output)
        output.append(bigEndian: lastStream.rawValue)
        output.append(bigEndian: code.rawValue)
        output += debugData
    }

    /// Appends the header of a DATA frame; the caller sends the content after it.
    package static func dataHeader(
        _ stream: HTTP2StreamID,
        byteCount: Int,
        endsStream: Bool,
        into output: inout [UInt8]
    ) {
        FrameHeader(.data, endsStream ? .endStream : [], stream: stream, payloadByteCount: byteCount)
            .encode(into: &output)
    }

    /// Appends a PRIORITY_UPDATE (RFC 9218 §7.1) with the value of a `priority` field.
    package static func priorityUpdate(_ stream: HTTP2StreamID, _ priority: String, into output: inout [UInt8]) {
        FrameHeader(.priorityUpdate, payloadByteCount: 4 + priority.utf8.count).encode(into: &output)
        output.append(bigEndian: stream.rawValue)
        output += priority.utf8
    }
}

// MARK: Field blocks

extension FrameEncoder {
    /// Appends room for the header of a HEADERS frame, and returns its offset; the caller then appends a field block, and calls
    /// ``endFieldBlock(from:_:endsStream:maximumFrameByteCount:in:)``.
    package static func beginFieldBlock(in output: inout [UInt8]) -> Int {
        let start = output.count
        for _ in 0..<FrameHeader.byteCount { output.append(0) }
        return start
    }

    /// Turns the bytes from `start` on into a HEADERS frame, and CONTINUATION frames if they do not fit in one.
    package static func endFieldBlock(
        from start: Int,
        _ stream: HTTP2StreamID,
        endsStream: Bool,
        maximumFrameByteCount: Int,
        in output: inout [UInt8]
    ) {
        let byteCount = output.count - start - FrameHeader.byteCount
        let flags: FrameHeader.Flags = endsStream ? .endStream : []
        if byteCount <= maximumFrameByteCount {
            let header = FrameHeader(
                .headers,
                flags.union(.endHeaders),
                stream: stream,
                payloadByteCount: byteCount
            )
            return Self.replace(at: start, header, in: &output)
        }
        var rest = Array(output[(start + FrameHeader.byteCount + maximumFrameByteCount)...])[...]
        output.removeSubrange((start + FrameHeader.byteCount + maximumFrameByteCount)...)
        let first = FrameHeader(.headers, flags, stream: stream, payloadByteCount: maximumFrameByteCount)
        Self.replace(at: start, first, in: &output)
        while !rest.isEmpty {
            let part = rest.prefix(maximumFrameByteCount)
            rest = rest.dropFirst(part.count)
            FrameHeader(
                .continuation,
                rest.isEmpty ? .endHeaders : [],
                stream: stream,
                payloadByteCount: part.count
            )
            .encode(into: &output)
            output += part
        }
    }

    private static func replace(at start: Int, _ header: FrameHeader, in output: inout [UInt8]) {
        let length = header.payloadByteCount
        output[start] = UInt8(truncatingIfNeeded: length >> 16)
        output[start + 1] = UInt8(truncatingIfNeeded: length >> 8)
        output[start + 2] = UInt8(truncatingIfNeeded: length)
        output[start + 3] = header.type.rawValue
        output[start + 4] = header.flags.rawValue
        for index in 0..<4 {
            output[start + 5 + index] = UInt8(truncatingIfNeeded: header.stream.rawValue >> UInt32(24 - 8 * index))
        }
    }
}
