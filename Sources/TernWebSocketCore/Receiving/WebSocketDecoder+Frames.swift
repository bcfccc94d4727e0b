// SPDX-License-Identifier: Apache-2.0

extension WebSocketDecoder {
    mutating func advance(_ input: RawSpan, _ output: inout OutputRawSpan) throws(WebSocketViolation) -> Step {
        var position = 0
        while true {
            switch self.state {
            case .frameStart:
                let context = FrameHeader.Context(
                    allowsCompression: self.deflate != nil,
                    isWithinMessage: self.message != nil
                )
                switch try FrameHeader.read(input, at: position, context) {
                case .incomplete(let missing):
                    self.missingByteCount = missing
                    return Step(consumedByteCount: position)
                case .header(let header):
                    self.missingByteCount = 2
                    if header.opcode.isControl { return try self.readControl(header, input, at: position) }
                    position += header.byteCount
                    if let step = try self.begin(header, input, at: position) { return step }
                }
            case .payload(let remaining, let isFinal):
                if self.message?.isCompressed ?? false {
                    if let step = try self.inflate(input, &position, &output) { return step }
                } else if let step = try self.readPart(input, &position, remaining, isFinal: isFinal) {
                    return step
                }
            case .closed:
                return Step(consumedByteCount: input.byteCount)
            case .failed(let violation):
                throw violation
            }
        }
    }

    /// Handles the header of a data frame, and returns a step if it is a whole, uncompressed message that has arrived.
    private mutating func begin(
        _ header: FrameHeader,
        _ input: RawSpan,
        at position: Int
    ) throws(WebSocketViolation) -> Step? {
        let length = header.payloadByteCount
        let limits = self.limits
        guard length <= limits.maximumFrameByteCount else { throw .frameTooLong(limit: limits.maximumFrameByteCount) }
        var message: Message
        if let begun = self.message {
            message = begun
        } else {
            message = Message(kind: header.opcode == .text ? .text : .binary, isCompressed: header.isCompressed)
            self.text = UTF8Validator()
            if message.isCompressed { try self.beginInflating() }
        }
        if !message.isCompressed {
            guard length <= limits.maximumMessageByteCount - message.byteCount else {
                throw .messageTooLong(limit: limits.maximumMessageByteCount)
            }
            message.byteCount += length
            if header.isFinal, self.message == nil, length <= input.byteCount - position {
                let payload = position..<position + length
                if message.kind == .text { try self.checkText(input.extracting(payload), isFinal: true) }
                return Step(consumedByteCount: payload.upperBound, event: .message(message.kind, payload))
            }
        }
        self.message = message
        self.state = .payload(remaining: length, isFinal: header.isFinal)
        return nil
    }

    private mutating func readPart(
        _ input: RawSpan,
        _ position: inout Int,
        _ remaining: Int,
        isFinal: Bool
    ) throws(WebSocketViolation) -> Step? {
        let part = position..<position + min(remaining, input.byteCount - position)
        let kind = self.message?.kind ?? .binary
        let isFrameOver = part.count == remaining
        let isMessageOver = isFrameOver && isFinal
        guard isFrameOver || !part.isEmpty else { return Step(consumedByteCount: position) }
        if kind == .text { try self.checkText(input.extracting(part), isFinal: isMessageOver) }
        if isMessageOver { self.message = nil }
        self.state = isFrameOver ? .frameStart : .payload(remaining: remaining - part.count, isFinal: isFinal)
        position = part.upperBound
        guard !part.isEmpty || isMessageOver else { return nil }
        return Step(consumedByteCount: position, event: .part(kind, part, isFinal: isMessageOver))
    }

    mutating func checkText(_ bytes: RawSpan, isFinal: Bool) throws(WebSocketViolation) {
        guard self.text.validate(bytes), !isFinal || self.text.isComplete else { throw .invalidText }
    }
}

// MARK: Control frames

extension WebSocketDecoder {
    private mutating func readControl(
        _ header: FrameHeader,
        _ input: RawSpan,
        at position: Int
    ) throws(WebSocketViolation) -> Step {
        let start = position + header.byteCount
        let end = start + header.payloadByteCount
        guard end <= input.byteCount else {
            self.missingByteCount = end - input.byteCount
            return Step(consumedByteCount: position)
        }
        let event: Event
        switch header.opcode {
        case .ping: event = .ping(start..<end)
        case .pong: event = .pong(start..<end)
        default:
            event = try Self.close(input.extracting(start..<end))
            self.state = .closed
        }
        return Step(consumedByteCount: end, event: event)
    }

    /// Parses an empty payload, or a code of two bytes and a reason in UTF-8 (RFC 6455 §5.5.1).
    private static func close(_ payload: RawSpan) throws(WebSocketViolation) -> Event {
        if payload.isEmpty { return .close(nil, reason: "") }
        guard payload.byteCount >= 2 else { throw .truncatedCloseCode }
        let code = CloseCode(rawValue: payload.bigEndian(UInt16.self, at: 0))
        guard code.isValidOnWire else { throw .invalidCloseCode(code.rawValue) }
        let reason = payload.extracting(droppingFirst: 2)
        var text = UTF8Validator()
        guard text.validate(reason), text.isComplete else { throw .invalidCloseReason }
        return .close(code, reason: reason.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }
}
