// SPDX-License-Identifier: Apache-2.0

/// Limits for the number of frames that make work for the client and carry no response (RFC 9113 §10.5).
///
/// Each frame lowers the budget of its kind by 1. Each final response, each received DATA frame with content, each sent DATA frame
/// with at least ``byteCountOfProgress`` bytes, and time raise all budgets up to these limits. If a frame comes whose budget is
/// used up, the client closes the connection with GOAWAY and ENHANCE_YOUR_CALM.
package struct FloodLimits: Hashable, Sendable {
    package enum Kind: Int, CaseIterable, Hashable, Sendable {
        /// A PING that the client must answer (CVE-2019-9512), or the answer to a PING that the client did not send.
        case ping
        /// SETTINGS, which the client must acknowledge (CVE-2019-9515).
        case settings
        /// RST_STREAM that closes a stream (CVE-2019-9514).
        case reset
        /// DATA without content that does not end its stream, with or without padding (CVE-2019-9518).
        case emptyData
        /// WINDOW_UPDATE, except two per sent DATA frame, and one per ``FloodLimits/byteCountForWindowUpdate`` bytes of content.
        case windowUpdate
        /// Frames such as PRIORITY, ALTSVC, GOAWAY, frames of unknown types, RST_STREAM for a closed stream, and HEADERS for a
        /// stream that the client has reset (CVE-2019-9513, CVE-2022-24668), except two for each stream that the driver resets.
        case ignored
        /// A frame or a message that causes a stream error (in CVE-2025-8671, a client attacks a server).
        case malformed
    }

    /// The number of PINGs in one burst.
    ///
    /// Beyond it, the connection ends with ENHANCE_YOUR_CALM.
    package var ping = 1000
    /// The number of SETTINGS frames in one burst, while most servers send one or two on a connection.
    ///
    /// Beyond it, the connection ends with ENHANCE_YOUR_CALM.
    package var settings = 100
    /// The number of streams that the server may reset in one burst, like nghttp2.
    package var reset = 1000
    /// The number of DATA frames without content in one burst.
    package var emptyData = 1000
    /// The number of sent bytes for which a WINDOW_UPDATE may come, about as many as a WINDOW_UPDATE itself has.
    package static let byteCountForWindowUpdate = 16

    /// The length of a sent DATA frame that raises all budgets by 1, so that tiny windows (CVE-2019-9511) raise none.
    package static let byteCountOfProgress = 1 << 10

    /// The number of WINDOW_UPDATE frames in one burst, in addition to those for sent content.
    package var windowUpdate = 2000
    /// The number of frames in one burst that the client ignores.
    package var ignored = 1000
    /// The number of stream errors that the server may cause in one burst, like swift-nio-http2.
    package var malformed = 200
    /// The number by which each budget grows in a second.
    package var refillPerSecond = 10

    package init() {}

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
