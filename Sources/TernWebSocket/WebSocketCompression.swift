// SPDX-License-Identifier: Apache-2.0
package import TernCompression
package import TernWebSocketCore

/// Settings for the compression of messages (permessage-deflate, RFC 7692).
///
/// A WebSocket allocates memory when it sends its first compressed message, and again when it receives its first one.
/// The amount depends on the negotiated window and on the memory level:
///
/// | window bits | sending, memory level 8 | sending, memory level 4 | receiving |
/// | ---: | ---: | ---: | ---: |
/// | 15 | 264 KiB | 144 KiB | 40 KiB |
/// | 12 | 152 KiB | 32 KiB | 12 KiB |
/// | 9 | 138 KiB | 18 KiB | 9 KiB |
public struct WebSocketCompression: Hashable, Sendable {
    /// The offer to the server, or `nil` to offer no compression.
    package var offer: PerMessageDeflate.Offer?
    /// The compression level, window and memory for messages that this side sends.
    package var parameters: DeflateParameters

    /// Creates settings for compression.
    ///
    /// - Parameters:
    ///   - level: The compression level, from 0 (no compression) to 9. Defaults to 6, as in zlib.
    ///   - windowBits: The size of the window for sending, from 9 to 15 bits. Defaults to 15, which is 32 KiB. The
    ///     server may ask for a smaller window.
    ///   - memoryLevel: The amount of memory for compressing, from 1 (least) to 9. Defaults to 8, as in zlib.
    ///   - serverWindowBits: The largest window that the server may compress with, from 8 to 15 bits. Defaults to
    ///     `nil`, which sets no limit.
    ///   - keepsContext: Whether this side keeps its window from one message to the next. Defaults to `true`, which
    ///     compresses small, similar messages far better.
    ///   - serverKeepsContext: Whether the server may keep its window from one message to the next. Defaults to `true`.
    ///     `false` saves memory on the server, but no memory on this side.
    public init(
        level: Int = 6,
        windowBits: Int = 15,
        memoryLevel: Int = 8,
        serverWindowBits: Int? = nil,
        keepsContext: Bool = true,
        serverKeepsContext: Bool = true
    ) {
        var offer = PerMessageDeflate.Offer()
        offer.serverMaximumWindowBits = serverWindowBits
        offer.clientNoContextTakeover = !keepsContext
        offer.serverNoContextTakeover = !serverKeepsContext
        self.offer = offer
        self.parameters = DeflateParameters(level: level, windowBits: windowBits, memoryLevel: memoryLevel)
    }

    /// Creates settings with any offer, for tests.
    package init(offer: PerMessageDeflate.Offer) {
        self.offer = offer
        self.parameters = DeflateParameters()
    }

    /// Settings that offer compression to the server.
    ///
    /// If the server agrees, messages are compressed.
    public static let `default` = WebSocketCompression()

    /// Settings that offer no compression, so that no message is compressed.
    public static let disabled: WebSocketCompression = {
        var compression = WebSocketCompression()
        compression.offer = nil
        return compression
    }()
}
