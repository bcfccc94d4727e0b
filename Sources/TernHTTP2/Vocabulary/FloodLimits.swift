// SPDX-License-Identifier: Apache-2.0

/// How often frames may come that cost the client work and bring it nothing (RFC 9113 §10.5).
///
/// Each kind has a budget, which such a frame lowers by 1. Content and final responses refill all budgets by 1 for each
/// frame, and time refills them slowly, so that a connection may be open for days and hear a PING now and then. A
/// server that exhausts a budget is answered by GOAWAY with ENHANCE_YOUR_CALM. Precedents: nghttp2 allows 1000 resets
/// at once and 33 a second, swift-nio-http2 200 resets in 30 s and 200 irregular frames in all.
package struct FloodLimits: Hashable, Sendable {
    /// A kind of frame that brings nothing.
    package enum Kind: Int, CaseIterable, Hashable, Sendable {
        /// PING, which is answered (CVE-2019-9512).
        case ping
        /// SETTINGS, which are acknowledged (CVE-2019-9515).
        case settings
        /// RST_STREAM from the server (CVE-2019-9514, CVE-2023-44487 turned around).
        case reset
        /// DATA without content that does not end the stream (CVE-2019-9518), padded or not.
        case emptyData
        /// WINDOW_UPDATE, beyond those that answer data of the client.
        case windowUpdate
        /// PRIORITY, PRIORITY_UPDATE, ALTSVC, ORIGIN and frames of unknown types (CVE-2019-9513, CVE-2022-24668).
        case ignored
        /// What makes the client reset a stream, or answer a frame of a stream that is closed (CVE-2025-8671 turned
        /// around).
        case malformed
    }

    /// How many PINGs may come at once; defaults to 1000, like nghttp2's bound on answers in its queue.
    package var ping = 1000
    /// How many SETTINGS may come at once; defaults to 100.
    ///
    /// Servers send one or two in all.
    package var settings = 100
    /// How many streams the server may reset at once; defaults to 1000, like nghttp2.
    package var reset = 1000
    /// How much empty DATA may come at once; defaults to 1000.
    ///
    /// Servers send one frame, with the end of the stream.
    package var emptyData = 1000
    /// How many WINDOW_UPDATEs may come at once beyond two for each DATA frame sent; defaults to 2000.
    package var windowUpdate = 2000
    /// How many frames may come at once that the client ignores; defaults to 1000.
    package var ignored = 1000
    /// How many streams the server may spoil at once; defaults to 200, like swift-nio-http2.
    package var malformed = 200
    /// How much time adds to each budget; defaults to 10 frames a second.
    ///
    /// nghttp2 has 33 for resets.
    package var refillPerSecond = 10

    /// Creates the default limits; change what must differ.
    package init() {}

    /// The budget of a kind.
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
