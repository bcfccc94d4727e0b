// SPDX-License-Identifier: Apache-2.0
package import TernCompression
package import TernWebSocketCore

/// Settings for the compression of messages (permessage-deflate, RFC 7692).
///
/// With the first bytes that it compresses or inflates, a WebSocket allocates about this much memory:
///
/// | window bits | sending, memory level 8 | sending, memory level 4 | receiving |
/// | ---: | ---: | ---: | ---: |
/// | 15 | 264 KiB | 144 KiB | 40 KiB |
/// | 12 | 152 KiB | 32 KiB | 12 KiB |
/// | 9 | 138 KiB | 18 KiB | 9 KiB |
public struct WebSocketCompression: Hashable, Sendable {
    package var offer: PerMessageDeflate.Offer?
    package var parameters: DeflateParameters

    /// Creates settings for compression.
    ///
    /// - Parameters:
    ///   - level: The compression level, from 0 (no compression) to 9. Defaults to 6, as in zlib.
    ///   - windowBits: The window for sending, from 9 to 15 bits (32 KiB). The server may ask for a smaller one.
    ///   - memoryLevel: The amount of memory for compressing, from 1 (least) to 9. Defaults to 8, as in zlib.
    ///   - serverWindowBits: The largest window of the server, from 8 to 15 bits. `nil` sets no limit.
    ///   - keepsContext: Whether this side keeps its window from one message to the next, if the server allows it. This
    ///     compresses small, similar messages far better.
    ///   - serverKeepsContext: Whether the server may keep its window. `false` may save memory on the server, but not on this side.
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

    package init(offer: PerMessageDeflate.Offer) {
        self.offer = offer
        self.parameters = DeflateParameters()
    }

    /// Settings that offer compression to the server, so that messages may be compressed if it agrees.
    public static let `default` = WebSocketCompression()

    /// Settings that offer no compression, so that no message is compressed.
    public static let disabled: WebSocketCompression = {
        var compression = WebSocketCompression()
        compression.offer = nil
        return compression
    }()
}
