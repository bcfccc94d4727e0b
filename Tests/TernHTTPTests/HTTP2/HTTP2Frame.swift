// SPDX-License-Identifier: Apache-2.0

/// A field, or a pseudo-field.
struct HTTP2Line: Hashable, Sendable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Creates a field from `name:value`, where the name may begin with a colon.
    init(text: Substring) {
        let end = text.dropFirst().firstIndex(of: ":") ?? text.endIndex
        self.init(String(text[..<end]), String(text[end...].dropFirst()))
    }
}

/// One setting of SETTINGS.
struct HTTP2Setting: Hashable, Sendable {
    var identifier: Int
    var value: Int

    static func maximumStreams(_ count: Int) -> Self { Self(identifier: 3, value: count) }
    static func initialWindow(_ byteCount: Int) -> Self { Self(identifier: 4, value: byteCount) }
}

/// The fields that began or ended a request.
struct HTTP2Headers: Hashable, Sendable {
    var stream: Int
    var lines: [HTTP2Line]
    var endsStream: Bool

    subscript(_ name: String) -> String? { self.lines.first { $0.name == name }?.value }
    var isRequest: Bool { self[":method"] != nil }
    var path: String { self[":path"] ?? "" }
}

/// The part that follows the head of a request.
struct HTTP2Content: Hashable, Sendable {
    var bytes: [UInt8] = []
    var trailers: [HTTP2Line] = []

    var text: String { String(decoding: self.bytes, as: UTF8.self) }
}

/// A frame before it was understood.
struct HTTP2RawFrame: Sendable {
    var length: Int
    var type: Int
    var flags: Int
    var stream: Int
    var payload: [UInt8] = []

    init(header: [UInt8]) {
        self.length = Self.number(header[0..<3])
        self.type = Int(header[3])
        self.flags = Int(header[4])
        self.stream = Self.number(header[5..<9]) & 0x7FFF_FFFF
    }

    /// The bytes as a number.
    static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// A frame that a client sent.
enum HTTP2Frame: Equatable, Sendable {
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
    init(_ raw: HTTP2RawFrame) {
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
    var isRequest: Bool { if case .headers(let headers) = self { headers.isRequest } else { false } }

    var isPing: Bool { if case .ping = self { true } else { false } }

    /// Whether the frame is a part of the request on a stream, or its end.
    func isPart(of stream: Int) -> Bool {
        switch self {
        case .headers(let headers): headers.stream == stream
        case .data(let number, _, _), .reset(let number, _): number == stream
        default: false
        }
    }
}

/// Frames that a server sends, in bytes.
struct HTTP2Output: Sendable {
    var bytes: [UInt8]

    /// The longest payload that a client accepts unless it says more.
    private static let maximumPayloadByteCount = 16_384

    static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: Int = 0, _ payload: [UInt8] = []) -> Self {
        var bytes = Self.number(payload.count, byteCount: 3)
        bytes.append(type)
        bytes.append(flags)
        bytes += Self.number(stream, byteCount: 4)
        return Self(bytes: bytes + payload)
    }

    /// DATA, in as many frames as are needed; only one of them if it is padded.
    static func data(_ stream: Int, _ content: [UInt8], endsStream: Bool = false, padding: UInt8? = nil) -> Self {
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
    static func headers(_ stream: Int, _ fields: [(String, String)], endsStream: Bool = false) -> Self {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            block += Self.string(name)
            block += Self.string(value)
        }
        return Self.frame(1, flags: endsStream ? 0x5 : 0x4, stream, block)
    }

    static func reset(_ stream: Int, _ code: Int) -> Self { Self.frame(3, stream, Self.number(code, byteCount: 4)) }

    static func settings(_ settings: [HTTP2Setting] = []) -> Self {
        let payload = settings.flatMap { setting in
            Self.number(setting.identifier, byteCount: 2) + Self.number(setting.value, byteCount: 4)
        }
        return Self.frame(4, 0, payload)
    }

    static let settingsAck = Self.frame(4, flags: 0x1)

    static func ping(_ opaque: UInt64, isAnswer: Bool = false) -> Self {
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: opaque >> (56 - 8 * UInt64($0))) }
        return Self.frame(6, flags: isAnswer ? 0x1 : 0, 0, payload)
    }

    static func goAway(last: Int, _ code: Int = 0) -> Self {
        Self.frame(7, 0, Self.number(last, byteCount: 4) + Self.number(code, byteCount: 4))
    }

    static func windowUpdate(_ stream: Int, _ increment: Int) -> Self {
        Self.frame(8, stream, Self.number(increment, byteCount: 4))
    }

    private static func number(_ number: Int, byteCount: Int) -> [UInt8] {
        (1...byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * (byteCount - $0))) }
    }

    /// A string without Huffman code (RFC 7541 §5.2).
    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
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
enum HTTP2Code {
    static let noError = 0
    static let internalError = 2
    static let refusedStream = 7
    static let cancel = 8
    static let http11Required = 13
}
