// SPDX-License-Identifier: Apache-2.0

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

    package static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

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

    /// Creates a frame of any type except HEADERS.
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

    package var isRequest: Bool { if case .headers(let headers) = self { headers.isRequest } else { false } }

    package var isPing: Bool { if case .ping = self { true } else { false } }

    package func isPart(of stream: Int) -> Bool {
        switch self {
        case .headers(let headers): headers.stream == stream
        case .data(let number, _, _), .reset(let number, _): number == stream
        default: false
        }
    }
}
