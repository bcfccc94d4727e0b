// SPDX-License-Identifier: Apache-2.0

/// A rule of RFC 6455 or RFC 7692 that received bytes broke.
///
/// Closed on purpose: every case is one rule, with the ``section`` that states it and the ``closeCode`` that answers it,
/// so a driver needs no rules of its own. No case holds received data, so a violation is safe to log.
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
