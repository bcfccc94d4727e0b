// SPDX-License-Identifier: Apache-2.0

package struct HTTP2Output: Sendable {
    package var bytes: [UInt8]

    /// RFC 9113 §4.2.
    private static let maximumPayloadByteCount = 16_384

    package static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: Int = 0, _ payload: [UInt8] = []) -> Self {
        var bytes = Self.number(payload.count, byteCount: 3)
        bytes.append(type)
        bytes.append(flags)
        bytes += Self.number(stream, byteCount: 4)
        return Self(bytes: bytes + payload)
    }

    /// Returns content in as many DATA frames as are needed, or in a single frame if it is padded.
    package static func data(_ stream: Int, _ content: [UInt8], endsStream: Bool = false, padding: UInt8? = nil) -> Self
    {
        if let padding {
            let payload = [padding] + content + [UInt8](repeating: 0, count: Int(padding))
            return Self.frame(0, flags: endsStream ? 0x9 : 0x8, stream, payload)
        }
        var (output, rest) = (Self(bytes: []), content[...])
        repeat {
            let piece = Array(rest.prefix(Self.maximumPayloadByteCount))
            rest = rest.dropFirst(piece.count)
            output.bytes += Self.frame(0, flags: endsStream && rest.isEmpty ? 0x1 : 0, stream, piece).bytes
        } while !rest.isEmpty
        return output
    }

    /// Returns HEADERS with fields that are literals without indexing (RFC 7541 §6.2.2).
    package static func headers(_ stream: Int, _ fields: [(String, String)], endsStream: Bool = false) -> Self {
        Self.headers(stream, fields: fields.map { ($0.0, Array($0.1.utf8)) }, endsStream: endsStream)
    }

    package static func headers(_ stream: Int, fields: [(String, [UInt8])], endsStream: Bool = false) -> Self {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            block += Self.string(Array(name.utf8))
            block += Self.string(value)
        }
        // A block that is too long for one frame continues in CONTINUATION frames (RFC 9113 §6.10).
        var (output, rest) = (Self(bytes: []), block[...])
        repeat {
            let piece = Array(rest.prefix(Self.maximumPayloadByteCount))
            rest = rest.dropFirst(piece.count)
            let flags: UInt8 = (rest.isEmpty ? 0x4 : 0) | (output.bytes.isEmpty && endsStream ? 0x1 : 0)
            output.bytes += Self.frame(output.bytes.isEmpty ? 1 : 9, flags: flags, stream, piece).bytes
        } while !rest.isEmpty
        return output
    }

    package static func reset(_ stream: Int, _ code: Int) -> Self {
        Self.frame(3, stream, Self.number(code, byteCount: 4))
    }

    package static func settings(_ settings: [HTTP2Setting] = []) -> Self {
        let payload = settings.flatMap { setting in
            Self.number(setting.identifier, byteCount: 2) + Self.number(setting.value, byteCount: 4)
        }
        return Self.frame(4, 0, payload)
    }

    package static let settingsAck = Self.frame(4, flags: 0x1)

    package static func ping(_ opaque: UInt64, isAnswer: Bool = false) -> Self {
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: opaque >> (56 - 8 * UInt64($0))) }
        return Self.frame(6, flags: isAnswer ? 0x1 : 0, 0, payload)
    }

    package static func goAway(last: Int, _ code: Int = 0) -> Self {
        Self.frame(7, 0, Self.number(last, byteCount: 4) + Self.number(code, byteCount: 4))
    }

    package static func windowUpdate(_ stream: Int, _ increment: Int) -> Self {
        Self.frame(8, stream, Self.number(increment, byteCount: 4))
    }

    private static func number(_ number: Int, byteCount: Int) -> [UInt8] {
        (1...byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * (byteCount - $0))) }
    }

    /// Returns a string literal without Huffman coding (RFC 7541 §5.2).
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var (output, rest) = ([UInt8(127)], bytes.count - 127)
        while rest >= 128 {
            output.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        output.append(UInt8(rest))
        return output + bytes
    }
}

package enum HTTP2Code {
    package static let noError = 0
    package static let protocolError = 1
    package static let internalError = 2
    package static let refusedStream = 7
    package static let cancel = 8
    package static let enhanceYourCalm = 11
    package static let http11Required = 13
}
