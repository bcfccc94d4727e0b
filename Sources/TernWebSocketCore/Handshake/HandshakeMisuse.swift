// SPDX-License-Identifier: Apache-2.0

/// Why an opening handshake cannot be made from what the caller asked for.
public enum HandshakeMisuse: Error, Hashable, Sendable {
    /// A subprotocol is not a token (RFC 6455 §4.1).
    case invalidSubprotocol(String)
    /// A subprotocol is offered more than once (RFC 6455 §4.1).
    case repeatedSubprotocol(String)
    /// A window is not 8...15 bits for the server, 9...15 for the client (RFC 7692 §7.1.2).
    case invalidWindowBits
}

extension HandshakeMisuse: CustomStringConvertible {
    /// What is wrong; its wording may change.
    public var description: String {
        switch self {
        case .invalidSubprotocol(let name): "The subprotocol \"\(name)\" is not a token."
        case .repeatedSubprotocol(let name): "The subprotocol \"\(name)\" is offered more than once."
        case .invalidWindowBits: "A window for compression is out of range."
        }
    }
}
