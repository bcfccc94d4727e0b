// SPDX-License-Identifier: Apache-2.0

/// Budgets for frames that cost the client work and bring it nothing (RFC 9113 §10.5).
///
/// Each kind of frame has a budget, which such a frame lowers by 1. Each final response and each DATA frame with
/// content raises all budgets by 1, up to these limits. Time raises them slowly, so that a connection may be open for
/// days and receive a PING now and then. When a budget is used up, the client closes the connection with GOAWAY and
/// ENHANCE_YOUR_CALM. Precedents: nghttp2 allows 1000 resets at once and 33 a second, swift-nio-http2 200 resets in 30
/// s and 200 irregular frames in all.
package struct FloodLimits: Hashable, Sendable {
    /// A kind of frame that brings the client nothing.
    package enum Kind: Int, CaseIterable, Hashable, Sendable {
        /// PING, which the client must answer (CVE-2019-9512).
        case ping
        /// SETTINGS, which the client must acknowledge (CVE-2019-9515).
        case settings
        /// RST_STREAM from the server (CVE-2019-9514, and CVE-2023-44487 with the roles exchanged).
        case reset
        /// DATA without content, padded or not, that does not end the stream (CVE-2019-9518).
        case emptyData
        /// WINDOW_UPDATE, beyond the two expected for each DATA frame that the client sends.
        case windowUpdate
        /// PRIORITY, PRIORITY_UPDATE, ALTSVC, ORIGIN, GOAWAY, frames of unknown types, and frames for streams that have
        /// ended (CVE-2019-9513, CVE-2022-24668).
        case ignored
        /// A frame or a message that is an error of its stream, which the client answers with RST_STREAM (CVE-2025-8671
        /// with the roles exchanged).
        case malformed
    }

    /// The number of PINGs that may come at once.
    ///
    /// Defaults to 1000, like nghttp2's bound on answers in its queue.
    package var ping = 1000
    /// The number of SETTINGS frames that may come at once.
    ///
    /// Defaults to 100. Servers send one or two in all.
    package var settings = 100
    /// The number of streams that the server may reset at once.
    ///
    /// Defaults to 1000, like nghttp2.
    package var reset = 1000
    /// The number of empty DATA frames that may come at once.
    ///
    /// Defaults to 1000. Servers send one for each stream, to end it.
    package var emptyData = 1000
    /// The number of WINDOW_UPDATE frames that may come at once, beyond two for each DATA frame sent.
    ///
    /// Defaults to 2000.
    package var windowUpdate = 2000
    /// The number of ignored frames that may come at once.
    ///
    /// Defaults to 1000.
    package var ignored = 1000
    /// The number of stream errors that the server may cause at once.
    ///
    /// Defaults to 200, like swift-nio-http2.
    package var malformed = 200
    /// The number of frames that each second adds to each budget.
    ///
    /// Defaults to 10. Precedent: nghttp2 adds 33 for resets.
    package var refillPerSecond = 10

    /// Creates the default limits.
    package init() {}

    /// The limit of a kind of frame.
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
