// SPDX-License-Identifier: Apache-2.0

/// The kind of a data message (RFC 6455 §5.6).
///
/// This enumeration is closed: RFC 6455 §5.6 has these two kinds.
public enum MessageKind: Hashable, Sendable {
    /// Text in UTF-8.
    case text
    /// Any bytes.
    case binary

    /// The opcode of the first frame of a message of this kind.
    package var opcode: FrameOpcode {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }
}
