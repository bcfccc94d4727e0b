// SPDX-License-Identifier: Apache-2.0

/// A field, or a pseudo-field.
package struct HTTP2Line: Hashable, Sendable {
    package var name: String
    /// The value as text; invalid UTF-8 is repaired.
    package var value: String { String(decoding: self.bytes, as: UTF8.self) }
    package var bytes: [UInt8]

    package init(_ name: String, _ value: String) { (self.name, self.bytes) = (name, Array(value.utf8)) }

    /// Creates a field from `name:value`, where the name may begin with a colon.
    package init(text: ArraySlice<UInt8>) {
        let end = text.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        self.name = String(decoding: text[..<end], as: UTF8.self)
        self.bytes = Array(text[end...].dropFirst())
    }
}

/// One setting of SETTINGS.
package struct HTTP2Setting: Hashable, Sendable {
    package var identifier: Int
    package var value: Int

    package init(identifier: Int, value: Int) { (self.identifier, self.value) = (identifier, value) }

    package static func maximumStreams(_ count: Int) -> Self { Self(identifier: 3, value: count) }
    package static func initialWindow(_ byteCount: Int) -> Self { Self(identifier: 4, value: byteCount) }
    /// The server accepts the extended CONNECT, with which WebSockets open (RFC 8441 §3).
    package static let extendedConnect = Self(identifier: 8, value: 1)
}

/// The fields that began or ended a request.
package struct HTTP2Headers: Hashable, Sendable {
    package var stream: Int
    package var lines: [HTTP2Line]
    package var endsStream: Bool

    package subscript(_ name: String) -> String? { self.lines.first { $0.name == name }?.value }
    package var isRequest: Bool { self[":method"] != nil }
    package var path: String { self[":path"] ?? "" }
}

/// The part that follows the head of a request.
package struct HTTP2Content: Hashable, Sendable {
    package var bytes: [UInt8] = []
    package var trailers: [HTTP2Line] = []

    package var text: String { String(decoding: self.bytes, as: UTF8.self) }
}

/// A frame before it was understood.
package struct HTTP2RawFrame: Sendable {
    package var length: Int
    package var type: Int
    package var flags: Int
    package var stream: Int
    package var payload: [UInt8] = []

    package init(header: [UInt8]) {
        self.length = Self.number(header[0..<3])
        self.type = Int(header[3])
        self.flags = Int(header[4])
        self.stream = Self.number(header[5..<9]) & 0x7FFF_FFFF
    }

    /// The bytes as a number.
    package static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// A frame that a client sent.
package enum HTTP2Frame: Equatable, Sendable {
    case settings([HTTP2Setting])
    case settingsAck
    case ping(UInt64)
    case pingAck(UInt64)
    case headers(HTTP2Headers)
    case data(Int, [UInt8], endsStream: Bool)
    case reset(Int, code: Int)
    case windowUpdate(Int, Int)
    case goAway(last: Int, code: Int)
    case priorityUpdate(Int, String)
    case other(type: Int, stream: Int)

    /// Creates any frame but HEADERS.
    package init(_ raw: HTTP2RawFrame) {
        let payload = raw.payload
        let number = HTTP2RawFrame.number(payload.prefix(4)) & 0x7FFF_FFFF
        switch raw.type {
        case 0: self = .data(raw.stream, payload, endsStream: raw.flags & 0x1 != 0)
        case 3: self = .reset(raw.stream, code: HTTP2RawFrame.number(payload.prefix(4)))
        case 4:
            let settings = stride(from: 0, to: payload.count, by: 6).map { start in
                HTTP2Setting(
                    identifier: HTTP2RawFrame.number(payload[start..<start + 2]),
                    value: HTTP2RawFrame.number(payload[start + 2..<start + 6])
                )
            }
            self = raw.flags & 0x1 != 0 ? .settingsAck : .settings(settings)
        case 6:
            let opaque = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self = raw.flags & 0x1 != 0 ? .pingAck(opaque) : .ping(opaque)
        case 7: self = .goAway(last: number, code: HTTP2RawFrame.number(payload.dropFirst(4).prefix(4)))
        case 8: self = .windowUpdate(raw.stream, number)
        case 16: self = .priorityUpdate(number, String(decoding: payload.dropFirst(4), as: UTF8.self))
        default: self = .other(type: raw.type, stream: raw.stream)
        }
    }

    /// Whether the frame begins a request.
    package var isRequest: Bool { if case .headers(let headers) = self { headers.isRequest } else { false } }

    package var isPing: Bool { if case .ping = self { true } else { false } }

    /// Whether the frame is a part of the request on a stream, or its end.
    package func isPart(of stream: Int) -> Bool {
        switch self {
        case .headers(let headers): headers.stream == stream
        case .data(let number, _, _), .reset(let number, _): number == stream
        default: false
        }
    }
}

/// Frames that a server sends, in bytes.
package struct HTTP2Output: Sendable {
    package var bytes: [UInt8]

    /// The longest payload that a client accepts unless it says more.
    private static let maximumPayloadByteCount = 16_384

    package static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: Int = 0, _ payload: [UInt8] = []) -> Self {
        var bytes = Self.number(payload.count, byteCount: 3)
        bytes.append(type)
        bytes.append(flags)
        bytes += Self.number(stream, byteCount: 4)
        return Self(bytes: bytes + payload)
    }

    /// DATA, in as many frames as are needed; only one of them if it is padded.
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

    /// HEADERS, whose fields are literals that no table keeps.
    package static func headers(_ stream: Int, _ fields: [(String, String)], endsStream: Bool = false) -> Self {
        Self.headers(stream, fields: fields.map { ($0.0, Array($0.1.utf8)) }, endsStream: endsStream)
    }

    /// HEADERS, whose values need not be UTF-8.
    package static func headers(_ stream: Int, fields: [(String, [UInt8])], endsStream: Bool = false) -> Self {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            block += Self.string(Array(name.utf8))
            block += Self.string(value)
        }
        // A block that is too long for one frame goes on in CONTINUATION (RFC 9113 §6.10).
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

    /// A string without Huffman code (RFC 7541 §5.2).
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

/// The error codes that tests use (RFC 9113 §7).
package enum HTTP2Code {
    package static let noError = 0
    package static let internalError = 2
    package static let refusedStream = 7
    package static let cancel = 8
    package static let http11Required = 13
}
