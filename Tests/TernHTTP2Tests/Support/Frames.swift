// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

@testable import TernHTTP2

/// Frames of a server, including invalid ones.
enum Frames {
    static func frame(
        _ type: FrameType,
        _ flags: FrameHeader.Flags = [],
        _ stream: HTTP2StreamID = .connection,
        _ payload: [UInt8] = []
    ) -> [UInt8] {
        var output: [UInt8] = []
        FrameHeader(type, flags, stream: stream, payloadByteCount: payload.count).encode(into: &output)
        return output + payload
    }

    static func settings(_ settings: [(SettingIdentifier, UInt32)] = []) -> [UInt8] {
        Self.made { FrameEncoder.settings(settings, into: &$0) }
    }

    static let settingsAcknowledgement = Self.frame(.settings, .acknowledgement)

    static func ping(_ opaque: UInt64 = 1, isAnswer: Bool = false) -> [UInt8] {
        Self.made { FrameEncoder.ping(opaque, isAnswer: isAnswer, into: &$0) }
    }

    static func windowUpdate(_ stream: HTTP2StreamID = .connection, _ increment: Int) -> [UInt8] {
        Self.made { FrameEncoder.windowUpdate(stream, increment: increment, into: &$0) }
    }

    static func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode = .cancel) -> [UInt8] {
        Self.made { FrameEncoder.reset(stream, code, into: &$0) }
    }

    static func goAway(_ last: HTTP2StreamID, _ code: HTTP2ErrorCode = .noError, _ debugData: [UInt8] = []) -> [UInt8] {
        Self.made { FrameEncoder.goAway(lastStream: last, code, debugData: debugData, into: &$0) }
    }

    static func data(
        _ stream: HTTP2StreamID,
        _ content: [UInt8],
        endsStream: Bool = false,
        padding: Int? = nil
    ) -> [UInt8] {
        var flags: FrameHeader.Flags = endsStream ? .endStream : []
        guard let padding else { return Self.frame(.data, flags, stream, content) }
        flags.insert(.padded)
        let payload = [UInt8(padding)] + content + [UInt8](repeating: 0, count: padding)
        return Self.frame(.data, flags, stream, payload)
    }

    static func headers(_ stream: HTTP2StreamID, _ block: [UInt8], endsStream: Bool = false) -> [UInt8] {
        Self.frame(.headers, endsStream ? [.endHeaders, .endStream] : .endHeaders, stream, block)
    }

    private static func made(_ body: (inout [UInt8]) -> Void) -> [UInt8] {
        var output: [UInt8] = []
        body(&output)
        return output
    }
}

extension HTTP2StreamID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt32) { self.init(rawValue: value) }
}
