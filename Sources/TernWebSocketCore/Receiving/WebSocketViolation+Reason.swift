// SPDX-License-Identifier: Apache-2.0

extension WebSocketViolation {
    /// The document and section that state the rule, such as `"RFC 6455 §5.2"`.
    public var section: String {
        switch self {
        case .maskedFrame: "RFC 6455 §5.1"
        case .reservedBit, .unknownOpcode, .lengthNotMinimal, .lengthTooLarge: "RFC 6455 §5.2"
        case .unexpectedContinuation, .interruptedMessage: "RFC 6455 §5.4"
        case .fragmentedControlFrame, .controlFrameTooLong: "RFC 6455 §5.5"
        case .truncatedCloseCode, .invalidCloseReason: "RFC 6455 §5.5.1"
        case .endedWithoutClose: "RFC 6455 §7.1.5"
        case .invalidCloseCode: "RFC 6455 §7.4"
        case .invalidText: "RFC 6455 §8.1"
        case .frameTooLong, .messageTooLong: "RFC 6455 §10.4"
        case .compressedControlFrame, .compressedContinuation: "RFC 7692 §6.1"
        case .corruptCompression, .cannotInflate: "RFC 7692 §7.2.2"
        }
    }

    /// The code to send in the Close frame (RFC 6455 §7.4.1).
    ///
    /// ``CloseCode/abnormalClosure``, which is never sent, for ``endedWithoutClose``: nobody is left to be told.
    public var closeCode: CloseCode {
        switch self {
        case .reservedBit, .compressedControlFrame, .compressedContinuation, .unknownOpcode, .fragmentedControlFrame,
            .controlFrameTooLong, .maskedFrame, .lengthNotMinimal, .lengthTooLarge, .unexpectedContinuation,
            .interruptedMessage, .truncatedCloseCode, .invalidCloseCode:
            .protocolError
        case .invalidText, .invalidCloseReason, .corruptCompression: .invalidPayloadData
        case .frameTooLong, .messageTooLong: .messageTooBig
        case .cannotInflate: .internalError
        case .endedWithoutClose: .abnormalClosure
        }
    }

    /// What was wrong, in one sentence; never holds received data, and its wording may change.
    public var reason: String {
        switch self {
        case .reservedBit: "A reserved bit is set without an extension."
        case .compressedControlFrame: "A control frame is marked as compressed."
        case .compressedContinuation: "A continuation is marked as compressed."
        case .unknownOpcode(let opcode): "The opcode \(opcode) is not defined."
        case .fragmentedControlFrame: "A control frame is fragmented."
        case .controlFrameTooLong: "A control frame has more than 125 bytes."
        case .maskedFrame: "The server masked a frame."
        case .lengthNotMinimal: "A length is written in more bytes than it needs."
        case .lengthTooLarge: "The top bit of a length is set."
        case .unexpectedContinuation: "A continuation comes without a message to continue."
        case .interruptedMessage: "A message begins within another."
        case .invalidText: "A text message is not UTF-8."
        case .frameTooLong(let limit): "A frame is longer than \(limit) bytes."
        case .messageTooLong(let limit): "A message is longer than \(limit) bytes."
        case .corruptCompression: "A compressed message cannot be inflated."
        case .cannotInflate: "There is no memory to inflate a message."
        case .truncatedCloseCode: "A Close frame has a payload of one byte."
        case .invalidCloseCode(let code): "The close code \(code) must not be sent."
        case .invalidCloseReason: "The reason in a Close frame is not UTF-8."
        case .endedWithoutClose: "The connection ended without a Close frame."
        }
    }
}

extension WebSocketViolation: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}
