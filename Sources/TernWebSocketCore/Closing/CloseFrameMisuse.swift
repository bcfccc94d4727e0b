// SPDX-License-Identifier: Apache-2.0

/// Why a Close frame cannot be sent.
public enum CloseFrameMisuse: Error, Hashable, Sendable {
    /// The code must not be in a Close frame (RFC 6455 §7.4.1); see ``CloseCode/isValidOnWire``.
    case codeNotForWire(CloseCode)
    /// The reason has more than 123 bytes in UTF-8 (RFC 6455 §5.5).
    case reasonTooLong(byteCount: Int)
}

extension CloseFrameMisuse: CustomStringConvertible {
    /// What is wrong; its wording may change.
    public var description: String {
        switch self {
        case .codeNotForWire(let code): "The close code \(code) must not be sent."
        case .reasonTooLong(let byteCount): "The reason of \(byteCount) bytes is longer than 123."
        }
    }
}
