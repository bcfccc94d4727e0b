// SPDX-License-Identifier: Apache-2.0

/// Limits for the number of frames that make work for the client and carry no response (RFC 9113 §10.5).
///
/// The client keeps a budget for each kind of frame, and each frame of the kind lowers it by 1. Each final response and
/// each DATA frame with content raises all budgets by 1, up to these limits. So does each DATA frame with at least
/// ``byteCountOfProgress`` bytes that the client sends. The budgets also grow slowly with time, so that a connection may
/// be open for days and receive a PING now and then. When a budget is used up, the client closes the connection with
/// GOAWAY and ENHANCE_YOUR_CALM.
///
/// For comparison: nghttp2 allows 1000 resets in one burst, and 33 more each second. swift-nio-http2 allows 200 resets
/// in 30 seconds, and 200 irregular frames in all.
package struct FloodLimits: Hashable, Sendable {
    /// A kind of frame that makes work for the client and carries no response.
    package enum Kind: Int, CaseIterable, Hashable, Sendable {
        /// PING, which the client must answer (CVE-2019-9512).
        case ping
        /// SETTINGS, which the client must acknowledge (CVE-2019-9515).
        case settings
        /// RST_STREAM from the server (CVE-2019-9514; in CVE-2023-44487, a client attacks a server in this way).
        case reset
        /// DATA without content that does not end its stream, with or without padding (CVE-2019-9518).
        case emptyData
        /// WINDOW_UPDATE. For each DATA frame that the client sends, two of these frames do not count, and one more for
        /// each ``FloodLimits/byteCountForWindowUpdate`` bytes of its content.
        case windowUpdate
        /// PRIORITY, ALTSVC, ORIGIN, GOAWAY, frames of unknown types, RST_STREAM for a closed stream,
        /// and field blocks for a stream that the client has reset (CVE-2019-9513, CVE-2022-24668). For each stream
        /// that the driver resets, two of these frames do not count.
        case ignored
        /// A frame or a message that breaks a rule, so that the client resets its stream with RST_STREAM (in
        /// CVE-2025-8671, a client attacks a server in this way).
        case malformed
    }

    /// The number of PINGs that the server may send in one burst.
    ///
    /// Defaults to 1000, like nghttp2's limit for answers in its queue.
    package var ping = 1000
    /// The number of SETTINGS frames that the server may send in one burst.
    ///
    /// Defaults to 100. Most servers send one or two on a connection.
    package var settings = 100
    /// The number of streams that the server may reset in one burst.
    ///
    /// Defaults to 1000, like nghttp2.
    package var reset = 1000
    /// The number of empty DATA frames that the server may send in one burst.
    ///
    /// Defaults to 1000. An empty DATA frame that ends a stream does not count.
    package var emptyData = 1000
    /// The number of bytes of the client's content for which the server may send a WINDOW_UPDATE.
    ///
    /// A server may return its windows whenever it has read a few bytes, with one frame for the stream and one for the
    /// connection. With 16 bytes, these frames are about as long as the content itself.
    package static let byteCountForWindowUpdate = 16

    /// The length of a DATA frame of the client that raises all budgets by 1.
    ///
    /// A server that lets the client send only a few bytes at a time (CVE-2019-9511) raises none.
    package static let byteCountOfProgress = 1 << 10

    /// The number of WINDOW_UPDATE frames that the server may send in one burst, in addition to those for the content of
    /// the client.
    ///
    /// Defaults to 2000.
    package var windowUpdate = 2000
    /// The number of frames of the kind ``Kind/ignored`` that the server may send in one burst.
    ///
    /// Defaults to 1000.
    package var ignored = 1000
    /// The number of stream errors that the server may cause in one burst.
    ///
    /// Defaults to 200, like swift-nio-http2.
    package var malformed = 200
    /// The number by which each budget grows in a second.
    ///
    /// Defaults to 10. For comparison: nghttp2 adds 33 for resets.
    package var refillPerSecond = 10

    /// Creates the default limits.
    package init() {}

    /// The limit for a kind of frame.
    package subscript(kind: Kind) -> Int {
        switch kind {
        case .ping: self.ping
        case .settings: self.settings
        case .reset: self.reset
        case .emptyData: self.emptyData
        case .windowUpdate: self.windowUpdate
        case .ignored: self.ignored
        case .malformed: self.malformed
        }
    }
}
