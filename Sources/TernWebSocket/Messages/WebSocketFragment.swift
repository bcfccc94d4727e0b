// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernWebSocketCore

/// A part of a message, delivered as it arrives; see ``WebSocket/fragments``.
public struct WebSocketFragment: Hashable, Sendable {
    /// The kind of the message: text or binary.
    public var kind: MessageKind
    /// The bytes of the part.
    ///
    /// The bytes of a text message are UTF-8, and a part may end within a character. Only the last part of a message
    /// can be empty.
    public var data: Data
    /// Whether this part is the last of its message.
    public var isFinal: Bool

    /// Creates a part of a message.
    package init(kind: MessageKind, data: Data, isFinal: Bool) {
        self.kind = kind
        self.data = data
        self.isFinal = isFinal
    }
}
