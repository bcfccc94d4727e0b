// SPDX-License-Identifier: Apache-2.0
package import TernCompression
package import TernWebSocketCore

/// Settings for the compression of messages (permessage-deflate, RFC 7692).
///
/// A WebSocket allocates no memory for compression before the first compressed message. Then it holds about this much,
/// depending on the negotiated windows:
///
/// | window bits | sending, memory level 8 | sending, memory level 4 | receiving |
/// | ---: | ---: | ---: | ---: |
/// | 15 | 264 KiB | 144 KiB | 40 KiB |
/// | 12 | 152 KiB | 32 KiB | 12 KiB |
/// | 9 | 138 KiB | 18 KiB | 9 KiB |
public struct WebSocketCompression: Hashable, Sendable {
    /// The offer to the server; `nil` to offer no compression.
    package var offer: PerMessageDeflate.Offer?
    /// The compression level and the memory for messages to send.
    package var parameters: DeflateParameters

    /// Creates settings for compression.
    ///
    /// - Parameters:
    ///   - level: The compression level, from 0 (no compression) to 9. Defaults to 6, as in zlib.
    ///   - windowBits: The window for sending, from 9 to 15 bits. Defaults to 15, which is 32 KiB. The server may ask
    ///     for less.
    ///   - memoryLevel: The memory to compress with, from 1 to 9. Defaults to 8, as in zlib.
    ///   - serverWindowBits: The largest window that the server may compress with, from 8 to 15 bits. Defaults to
    ///     `nil`, which sets no limit.
    ///   - keepsContext: Whether to keep the window from one sent message to the next. Defaults to `true`, which
    ///     compresses small, similar messages far better.
    ///   - serverKeepsContext: Whether the server may keep its window from one message to the next. Defaults to `true`;
    ///     `false` saves memory on the server, not on this side.
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

    /// Compression is offered, and used if the server agrees.
    public static let `default` = WebSocketCompression()

    /// No compression is offered.
    public static let disabled: WebSocketCompression = {
        var compression = WebSocketCompression()
        compression.offer = nil
        return compression
    }()
}
