// SPDX-License-Identifier: Apache-2.0

/// What a data message holds (RFC 6455 §5.6).
public enum MessageKind: Hashable, Sendable {
    /// Text in UTF-8.
    case text
    /// Any bytes.
    case binary

    /// The opcode of the first frame of such a message.
    public var opcode: Opcode {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }
}
