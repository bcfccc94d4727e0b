// SPDX-License-Identifier: Apache-2.0

/// The sizes of the receive windows for flow control.
///
/// The windows are as small as possible without slowing a transfer.
package struct FlowPolicy: Hashable, Sendable {
    /// The size of the window of the connection and of each stream before a peer changes it (RFC 9113 §6.9.2).
    package static let protocolWindowByteCount = 65_535

    /// The initial size of the receive window of a stream, in bytes.
    ///
    /// Defaults to 1 MiB, so that a long download over a fast line with a long round trip is as fast as with the fixed
    /// window of curl, 10 MiB. For comparison: hyper and Apple's URLSession use 2 MiB, and Go 4 MiB.
    package var initialStreamWindowByteCount = 1 << 20

    /// The initial size of the receive window of the connection, in bytes.
    ///
    /// Defaults to 2 MiB.
    package var initialConnectionWindowByteCount = 2 << 20

    /// The largest size of the receive window of a stream, in bytes.
    ///
    /// A window grows to twice the data that arrives in one round trip. Defaults to 16 MiB, as in OkHttp. That is
    /// enough for 1 Gbit/s with a round trip of 130 ms. The window of the connection grows to at most twice this
    /// maximum.
    package var maximumWindowByteCount = 16 << 20

    /// The number of bytes of all streams that may wait to be read.
    ///
    /// At this number, the window of the connection closes.
    ///
    /// Defaults to 64 MiB, four times the largest window of a stream. So three streams whose readers have stopped do
    /// not block the other streams.
    package var maximumUnreadByteCount = 64 << 20

    /// Creates the default policy.
    package init() {}
}
