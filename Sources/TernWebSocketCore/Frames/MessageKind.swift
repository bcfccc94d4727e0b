// SPDX-License-Identifier: Apache-2.0

/// The kind of a data message, one of the two of RFC 6455 §5.6.
public enum MessageKind: Hashable, Sendable {
    /// Text in UTF-8.
    case text
    /// Any bytes.
    case binary

    package var opcode: FrameOpcode {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }
}
