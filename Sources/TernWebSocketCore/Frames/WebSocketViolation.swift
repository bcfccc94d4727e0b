// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A rule of RFC 6455 or RFC 7692 that received bytes broke.
///
/// Every case is one rule, with the ``section`` that states it and the ``closeCode`` that answers it,
/// so a driver needs no rules of its own. No case holds received data, so a violation is safe to log.
@nonexhaustive
public enum WebSocketViolation: Error, Hashable, Sendable {
    // MARK: Frames

    /// A reserved bit was set that no negotiated extension gave a meaning.
    case reservedBit
    /// A control frame was marked as compressed.
    case compressedControlFrame
    /// A continuation was marked as compressed; only the first frame of a message is.
    case compressedContinuation
    /// The opcode is not one of the six that are defined.
    case unknownOpcode(UInt8)
    /// A control frame came without FIN.
    case fragmentedControlFrame
    /// A control frame came with more than 125 bytes.
    case controlFrameTooLong
    /// The server masked a frame.
    case maskedFrame
    /// A length was written in more bytes than it needs.
    case lengthNotMinimal
    /// The top bit of a length of 64 bits was set.
    case lengthTooLarge

    // MARK: Messages

    /// A continuation came while no message was under way.
    case unexpectedContinuation
    /// A message began before the one under way had ended.
    case interruptedMessage
    /// A text message is not UTF-8.
    case invalidText
    /// A frame has a longer payload than is accepted.
    case frameTooLong(limit: Int)
    /// A message is longer than is accepted; a compressed one is measured inflated.
    case messageTooLong(limit: Int)
    /// A compressed message cannot be inflated.
    case corruptCompression
    /// There is no memory to inflate a message; no fault of the peer.
    case cannotInflate

    // MARK: Closing

    /// The payload of a Close frame is a single byte, which cannot hold a code.
    case truncatedCloseCode
    /// A Close frame holds a code that must not be sent.
    case invalidCloseCode(UInt16)
    /// The reason in a Close frame is not UTF-8.
    case invalidCloseReason
    /// The connection ended without a Close frame.
    case endedWithoutClose
}

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
    /// ``CloseCode/abnormalClosure``, which is never sent, for ``endedWithoutClose``: the peer is gone.
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

extension WebSocketViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
