// SPDX-License-Identifier: Apache-2.0
public import TernWebSocketCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A part of a message, as it arrives; see ``WebSocket/fragments``.
public struct WebSocketFragment: Hashable, Sendable {
    /// Whether the message is text or bytes.
    public var kind: MessageKind
    /// The bytes; of text they are UTF-8, which may be cut within a character; empty only at the end of a message.
    public var data: Data
    /// Whether the message ends with this part.
    public var isFinal: Bool

    /// Creates a part.
    package init(kind: MessageKind, data: Data, isFinal: Bool) {
        self.kind = kind
        self.data = data
        self.isFinal = isFinal
    }
}
