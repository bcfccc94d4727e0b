// SPDX-License-Identifier: Apache-2.0
package import TernCompression
package import TernWebSocketCore

/// Whether and how the messages of a WebSocket are compressed (permessage-deflate, RFC 7692).
///
/// Nothing is held for compression before the first compressed message. Then a WebSocket holds, as the windows are
/// negotiated, about
///
/// | window bits | sending, memory level 8 | sending, memory level 4 | receiving |
/// | ---: | ---: | ---: | ---: |
/// | 15 | 264 KiB | 144 KiB | 40 KiB |
/// | 12 | 152 KiB | 32 KiB | 12 KiB |
/// | 9 | 138 KiB | 18 KiB | 9 KiB |
public struct WebSocketCompression: Hashable, Sendable {
    /// What is asked of the server; `nil` if no compression is.
    package var offer: PerMessageDeflate.Offer?
    /// How hard and with how much memory to compress what is sent.
    package var parameters: DeflateParameters

    /// Compression with settings of your own.
    ///
    /// - Parameters:
    ///   - level: How hard to compress, from 0, not at all, to 9. Defaults to 6, as in zlib.
    ///   - windowBits: The window to send with, from 9 to 15 bits. Defaults to 15, 32 KiB. The server may ask for less.
    ///   - memoryLevel: How much memory to compress with, from 1 to 9. Defaults to 8, as in zlib.
    ///   - serverWindowBits: The window that the server is asked to send with at most, from 8 to 15 bits. Defaults to `nil`, any.
    ///   - keepsContext: Whether the window is kept between messages to send. Defaults to `true`, which compresses small
    ///     messages that are alike far better.
    ///   - serverKeepsContext: Whether the server may do the same. Defaults to `true`; `false` spares the window for receiving.
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

    /// Compression with an offer of any kind, for tests.
    package init(offer: PerMessageDeflate.Offer) {
        self.offer = offer
        self.parameters = DeflateParameters()
    }

    /// Compression is offered, and used as the server answers.
    public static let `default` = WebSocketCompression()

    /// No compression is offered.
    public static let disabled: WebSocketCompression = {
        var compression = WebSocketCompression()
        compression.offer = nil
        return compression
    }()
}
