// SPDX-License-Identifier: Apache-2.0
public import TernWebSocketCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A part of a message, delivered as it arrives; see ``WebSocket/fragments``.
public struct WebSocketFragment: Hashable, Sendable {
    /// The kind of the message: text or binary.
    public var kind: MessageKind
    /// The bytes of the part.
    ///
    /// In text they are UTF-8 and may be cut within a character. Empty only at the end of a message.
    public var data: Data
    /// Whether this part is the last of its message.
    public var isFinal: Bool

    /// Creates a part.
    package init(kind: MessageKind, data: Data, isFinal: Bool) {
        self.kind = kind
        self.data = data
        self.isFinal = isFinal
    }
}
