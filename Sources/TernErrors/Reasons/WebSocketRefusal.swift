// SPDX-License-Identifier: Apache-2.0

/// Why a WebSocket was not opened, although the server answered.
@nonexhaustive
public enum WebSocketRefusal: Hashable, Sendable {
    /// The answer was not 101 (Switching Protocols), but this status.
    case status(Int)
    /// The answer was 101, but broke a rule of the handshake; `section` names it, e.g. `"RFC 6455 §4.1"`.
    case handshake(section: String, reason: String)
    /// The transport that the client was made with cannot hand a connection over.
    case notSupported
}

extension WebSocketRefusal: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .status(let code): "the server answered \(code) instead of 101"
        case .handshake(let section, let reason):
            "the server's handshake is wrong: \(ForeignText.shown(reason)) (\(section))"
        case .notSupported: "the client's transport does not support upgrades"
        }
    }
}
