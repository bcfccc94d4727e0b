// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

extension FrameHeader {
    /// Whether the header is the beginning of a status line, with which a server of HTTP/1.1 answers the preface of HTTP/2.
    private var isStatusLine: Bool {
        self.payloadByteCount == 0x485454 && self.type.rawValue == 0x50 && self.flags.rawValue == 0x2F
            && self.stream.rawValue >> 16 == 0x312E
    }

    /// Checks the rules that concern only the header, before the decoder gathers the payload.
    @inline(__always)
    func check() throws(HTTP2Violation) {
        // "An endpoint MUST send an error code of FRAME_SIZE_ERROR if a frame exceeds the size defined in
        // SETTINGS_MAX_FRAME_SIZE" (RFC 9113 §4.2).
        guard self.payloadByteCount <= FrameDecoder.maximumPayloadByteCount else {
            throw self.isStatusLine ? .answerInHTTP1 : .frameTooLong
        }
        guard self.type.isKnown else { return }
        let isOfConnection = self.stream == .connection
        switch self.type {
        case .data, .headers, .continuation, .priority, .pushPromise:
            guard !isOfConnection else { throw .missingStream(self.type) }
            // An empty padded frame has no byte for the length of its padding. A PRIORITY frame of a wrong length is an
            // error of its stream (§6.3), which the state machine handles.
            guard self.type != .data || !self.flags.contains(.padded) || self.payloadByteCount > 0 else {
                throw .excessivePadding
            }
        case .reset:
            // "RST_STREAM frames MUST be associated with a stream"; a frame "with a length other than 4 octets MUST be
            // treated as a connection error" (§6.4).
            guard !isOfConnection else { throw .missingStream(self.type) }
            guard self.payloadByteCount == 4 else { throw .wrongFrameLength(self.type) }
        case .settings:
            guard isOfConnection else { throw .unexpectedStream(self.type) }
            // "Receipt of a SETTINGS frame with the ACK flag set and a length field value other than 0 MUST be treated
            // as a connection error", and so must a frame "with a length other than a multiple of 6 octets" (§6.5).
            let isAcknowledgement = self.flags.contains(.acknowledgement)
            guard isAcknowledgement ? self.payloadByteCount == 0 : self.payloadByteCount % 6 == 0 else {
                throw .wrongFrameLength(self.type)
            }
        case .ping:
            guard isOfConnection else { throw .unexpectedStream(self.type) }
            guard self.payloadByteCount == 8 else { throw .wrongFrameLength(self.type) }
        case .goAway:
            guard isOfConnection else { throw .unexpectedStream(self.type) }
            guard self.payloadByteCount >= 8 else { throw .wrongFrameLength(self.type) }
        default:  // WINDOW_UPDATE, for a stream or for the connection
            guard self.payloadByteCount == 4 else { throw .wrongFrameLength(self.type) }
        }
    }

    /// Returns the range of the field block in HEADERS, without padding and priority (RFC 9113 §6.2).
    func fieldBlock(in payload: ByteView) throws(HTTP2Violation) -> Range<Int> {
        var range = 0..<payload.count
        if self.flags.contains(.padded) {
            guard payload.count > 0, Int(payload[0]) < payload.count else { throw .excessivePadding }
            range = 1..<payload.count - Int(payload[0])
        }
        if self.flags.contains(.priority) {
            guard range.count >= 5 else { throw .wrongFrameLength(self.type) }
            range = range.lowerBound + 5..<range.upperBound
        }
        return range
    }
}
