// SPDX-License-Identifier: Apache-2.0
public import TernCompression
public import TernWebSocketCore

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
    public var offer: PerMessageDeflate.Offer?
    /// How hard and with how much memory to compress what is sent; those of zlib by default.
    ///
    /// The window is that of the negotiation if it is smaller.
    public var parameters: DeflateParameters

    /// Compression with an offer of one's own.
    ///
    /// - Parameters:
    ///   - offer: what is asked of the server; by default windows of 32 KiB, kept between messages, in both directions.
    ///   - parameters: how hard and with how much memory to compress; those of zlib by default.
    public init(
        offer: PerMessageDeflate.Offer = PerMessageDeflate.Offer(),
        parameters: DeflateParameters = DeflateParameters()
    ) {
        self.offer = offer
        self.parameters = parameters
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

/// Whether to compress one message, where compression was negotiated.
public enum MessageCompression: Hashable, Sendable {
    /// As experience has it: compresses, unless the messages of late did not shrink, and tries again now and then.
    case automatic
    /// Compresses.
    case always
    /// Does not compress: for what is compressed already, and for secrets beside text that others choose (RFC 7692 §8).
    case never
}
