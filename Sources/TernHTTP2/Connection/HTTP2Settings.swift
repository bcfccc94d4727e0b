// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The settings of the server (RFC 9113 §6.5.2).
package struct HTTP2Settings: Hashable, Sendable {
    /// The size of the largest dynamic table that the client may use to compress its fields, in bytes.
    package private(set) var headerTableByteCount = 4096
    /// The number of streams that may be open; before the first SETTINGS, 100, the lowest limit that RFC 9113 recommends.
    package private(set) var maximumConcurrentStreams = 100
    package private(set) var initialWindowByteCount = FlowPolicy.protocolWindowByteCount
    /// The length of the longest frame payload that the server accepts, in bytes.
    package private(set) var maximumFrameByteCount = 16_384
    /// The length of the longest field list that the server accepts, in bytes; `nil` without a limit.
    package private(set) var maximumFieldListByteCount: Int?
    /// Whether the server accepts an extended CONNECT, with which a WebSocket is opened (RFC 8441).
    package private(set) var offersExtendedConnect = false
    /// Whether the server ignores the priorities of RFC 7540; `nil` if it has not said so.
    package private(set) var ignoresRFC7540Priorities: Bool?

    package init() {}

    /// Applies the payload of a SETTINGS frame; if the first frame does not limit the number of streams, there is no limit.
    ///
    /// - Parameters:
    ///   - payload: The settings, of 6 bytes each.
    ///   - isFirst: Whether this is the server's first SETTINGS frame.
    ///   - noteTableSize: Called with each size of the HPACK table, because the encoder must signal the smallest size too.
    /// - Throws: An ``HTTP2Violation`` when a value is invalid.
    mutating func apply(
        _ payload: ByteView,
        isFirst: Bool,
        noteTableSize: (Int) -> Void
    ) throws(HTTP2Violation) {
        // "Initially, there is no limit to this value" (RFC 9113 §6.5.2). If the first SETTINGS have a limit, it is set
        // below.
        if isFirst { self.maximumConcurrentStreams = Int(Int32.max) }
        var offset = 0
        while offset + 6 <= payload.count {
            let identifier = SettingIdentifier(rawValue: UInt16(payload[offset]) << 8 | UInt16(payload[offset + 1]))
            let value = Int(payload.uint32(at: offset + 2))
            offset += 6
            try self.apply(identifier, value, isFirst: isFirst, noteTableSize: noteTableSize)
        }
    }

    private mutating func apply(
        _ identifier: SettingIdentifier,
        _ value: Int,
        isFirst: Bool,
        noteTableSize: (Int) -> Void
    ) throws(HTTP2Violation) {
        switch identifier {
        case .headerTableSize:
            self.headerTableByteCount = value
            noteTableSize(value)
        case .enablePush:
            // "A client MUST treat receipt of a SETTINGS frame with SETTINGS_ENABLE_PUSH set to 1 as a connection
            // error".
            guard value == 0 else { throw .invalidSetting(identifier) }
        case .maximumConcurrentStreams: self.maximumConcurrentStreams = value
        case .initialWindowSize:
            guard value <= SendWindow.largest else { throw .initialWindowTooLarge }
            self.initialWindowByteCount = value
        case .maximumFrameSize:
            guard 16_384...16_777_215 ~= value else { throw .invalidSetting(identifier) }
            self.maximumFrameByteCount = value
        case .maximumHeaderListSize: self.maximumFieldListByteCount = value
        case .enableConnectProtocol:
            // "The value of the parameter MUST be 0 or 1", and a sender "MUST NOT send […] 0 after previously sending a
            // value of 1".
            guard value <= 1, value == 1 || !self.offersExtendedConnect else { throw .invalidSetting(identifier) }
            self.offersExtendedConnect = value == 1
        case .noRFC7540Priorities:
            guard value <= 1 else { throw .invalidSetting(identifier) }
            // "Senders MUST NOT change the SETTINGS_NO_RFC7540_PRIORITIES value after the first SETTINGS frame" (RFC
            // 9218 §2.1).
            guard isFirst || (self.ignoresRFC7540Priorities ?? false) == (value == 1) else {
                throw .invalidSetting(identifier)
            }
            self.ignoresRFC7540Priorities = value == 1
        // "An endpoint that receives a SETTINGS frame with any unknown or unsupported identifier MUST ignore that
        // setting".
        default: break
        }
    }
}
