// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The reason why a decoder failed, such as a broken rule of RFC 6455 or RFC 7692; safe to log, because it has no received text.
@nonexhaustive
public enum WebSocketViolation: Error, Hashable, Sendable {
    // MARK: Frames

    /// A reserved bit was set, and no negotiated extension gives it a meaning.
    case reservedBit
    /// A control frame was marked as compressed.
    case compressedControlFrame
    /// A continuation frame was marked as compressed, as only the first frame of a message may be.
    case compressedContinuation
    /// The opcode is not one of the six that RFC 6455 defines.
    case unknownOpcode(UInt8)
    /// A control frame came without FIN.
    case fragmentedControlFrame
    /// A control frame has a length field above 125.
    case controlFrameTooLong
    /// The server masked a frame.
    case maskedFrame
    /// The length of a frame was written in more bytes than it needs.
    case lengthNotMinimal
    /// The top bit of a 64-bit length was set.
    case lengthTooLarge

    // MARK: Messages

    /// A continuation frame arrived, but there was no message to continue.
    case unexpectedContinuation
    /// A message began before the previous one had ended.
    case interruptedMessage
    /// A text message is not UTF-8.
    case invalidText
    /// The payload of a frame exceeds the limit.
    case frameTooLong(limit: Int)
    /// A message exceeds the limit for the length after decompression.
    case messageTooLong(limit: Int)
    /// The data of a compressed message is corrupt.
    case corruptCompression
    /// This side cannot inflate a message, for example for lack of memory; the server did not break a rule.
    case cannotInflate

    // MARK: Closing

    /// The payload of a Close frame is a single byte, which cannot hold a code.
    case truncatedCloseCode
    /// A Close frame contains a code that must not be sent.
    case invalidCloseCode(UInt16)
    /// The reason in a Close frame is not UTF-8.
    case invalidCloseReason
    /// The connection ended without a Close frame.
    case endedWithoutClose
}

extension WebSocketViolation {
    /// The document and section that the violation is about, such as `"RFC 6455 §5.2"`.
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

    /// The code to send in the Close frame (RFC 6455 §7.4.1); for ``endedWithoutClose``, it is 1006, which is never sent.
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

    /// One sentence that describes the violation, without received text; its wording may change.
    public var reason: String {
        switch self {
        case .reservedBit: "The server set a reserved bit of a frame, but no extension uses that bit."
        case .compressedControlFrame: "The server marked a control frame as compressed."
        case .compressedContinuation: "The server marked a continuation frame as compressed."
        case .unknownOpcode(let opcode): "The server sent a frame with the undefined opcode \(opcode)."
        case .fragmentedControlFrame: "The server fragmented a control frame."
        case .controlFrameTooLong: "The server sent a control frame of more than 125 bytes."
        case .maskedFrame: "The server masked a frame."
        case .lengthNotMinimal: "The server sent the length of a frame in more bytes than necessary."
        case .lengthTooLarge: "The server sent a frame whose length is not below 2^63."
        case .unexpectedContinuation: "The server sent a continuation frame without a message to continue."
        case .interruptedMessage: "The server began a message before the previous one had ended."
        case .invalidText: "The server sent a text message that is not valid UTF-8."
        case .frameTooLong(let limit): "The server sent a frame longer than the limit of \(limit) bytes."
        case .messageTooLong(let limit): "The server sent a message longer than the limit of \(limit) bytes."
        case .corruptCompression: "The server sent a compressed message that is corrupt."
        case .cannotInflate: "The decompression of a message needs more memory than the client has."
        case .truncatedCloseCode: "The server sent a Close frame with a payload of one byte."
        case .invalidCloseCode(let code): "The server sent a Close frame with the invalid code \(code)."
        case .invalidCloseReason: "The server sent a Close frame whose reason is not valid UTF-8."
        case .endedWithoutClose: "The server ended the connection without a Close frame."
        }
    }
}

extension WebSocketViolation: CustomStringConvertible {
    /// The reason and the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension WebSocketViolation: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? { self.reason }
}
