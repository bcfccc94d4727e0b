// SPDX-License-Identifier: Apache-2.0

/// What a frame is for (RFC 6455 §5.2); all other values are reserved.
///
/// Closed: RFC 6455 §5.2 reserves all others.
public enum FrameOpcode: UInt8, Hashable, Sendable {
    /// The next part of a data message that was begun.
    case continuation = 0x0
    /// The start of a message that is text in UTF-8.
    case text = 0x1
    /// The start of a message of any bytes.
    case binary = 0x2
    /// The closing handshake.
    case close = 0x8
    /// A question whether the peer is there.
    case ping = 0x9
    /// The answer to a ping, or a sign of life without one.
    case pong = 0xA

    /// Whether frames of this kind steer the connection instead of carrying messages (RFC 6455 §5.5).
    public var isControl: Bool { self.rawValue & 0x8 != 0 }
}
