// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernWebSocketCore

/// A part of a message, delivered as it arrives; see ``WebSocket/fragments``.
public struct WebSocketFragment: Hashable, Sendable {
    /// The kind of the message.
    public var kind: MessageKind
    /// The bytes of the part, which may end within a character of text; only the last part can be empty.
    public var data: Data
    /// Whether this part is the last of its message.
    public var isFinal: Bool

    package init(kind: MessageKind, data: Data, isFinal: Bool) {
        self.kind = kind
        self.data = data
        self.isFinal = isFinal
    }
}
