// SPDX-License-Identifier: Apache-2.0

/// The type of a frame, in a closed enumeration, because RFC 6455 §5.2 reserves all other opcodes.
public enum FrameOpcode: UInt8, Hashable, Sendable {
    /// The next part of a data message.
    case continuation = 0x0
    /// The start of a text message, in UTF-8.
    case text = 0x1
    /// The start of a binary message.
    case binary = 0x2
    /// A Close frame.
    case close = 0x8
    /// A ping, which asks the peer for a pong.
    case ping = 0x9
    /// The answer to a ping, which a peer may also send without a ping, to show that it is alive.
    case pong = 0xA

    /// Whether this is a control frame (RFC 6455 §5.5).
    public var isControl: Bool { self.rawValue & 0x8 != 0 }
}
