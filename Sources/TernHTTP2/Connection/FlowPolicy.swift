// SPDX-License-Identifier: Apache-2.0

/// The sizes of the receive windows, which are as small as they can be without slowing a transfer.
package struct FlowPolicy: Hashable, Sendable {
    /// The window of the connection and of each stream until a peer changes it (RFC 9113 §6.9.2).
    package static let protocolWindowByteCount = 65_535

    /// The initial window of a stream, in bytes.
    ///
    /// Defaults to 512 KiB. Precedents: hyper 2 MiB, Go 4 MiB, curl 10 MiB, Apple's URLSession 2 MiB.
    package var initialStreamWindowByteCount = 512 << 10

    /// The initial window of the connection, in bytes.
    ///
    /// Defaults to 1 MiB.
    package var initialConnectionWindowByteCount = 1 << 20

    /// The largest window of a stream, in bytes.
    ///
    /// Windows grow to twice the measured product of bandwidth and delay. Defaults to 16 MiB, as in OkHttp: 1 Gbit/s
    /// over 130 ms. The window of the connection is at most twice as large.
    package var maximumWindowByteCount = 16 << 20

    /// The number of bytes of all streams that may wait to be read before the window of the connection closes.
    ///
    /// Defaults to 64 MiB: three streams whose readers have stopped, each with the largest window, do not block the
    /// others.
    package var maximumUnreadByteCount = 64 << 20

    /// Creates the default policy.
    package init() {}
}
