// SPDX-License-Identifier: Apache-2.0

/// How large the receive windows are: large enough never to throttle, and no larger.
package struct FlowPolicy: Hashable, Sendable {
    /// The window of the connection and of each stream until a peer changes it (RFC 9113 §6.9.2).
    package static let protocolWindowByteCount = 65_535

    /// The window of a stream at first, in bytes.
    ///
    /// Defaults to 512 KiB. Precedents: hyper 2 MiB, Go 4 MiB, curl 10 MiB, Apple's URLSession 2 MiB.
    package var initialStreamWindowByteCount = 512 << 10

    /// The window of the connection at first, in bytes; defaults to 1 MiB.
    package var initialConnectionWindowByteCount = 1 << 20

    /// The largest window of a stream, in bytes.
    ///
    /// Windows grow to twice the measured product of bandwidth and delay. Defaults to 16 MiB, as in OkHttp: 1 Gbit/s
    /// over 130 ms. The window of the connection is at most twice as large.
    package var maximumWindowByteCount = 16 << 20

    /// How many bytes of all streams may wait to be read, while the window of the connection stays open.
    ///
    /// Defaults to 64 MiB: four readers that stand still do not stop the others, however fast the line is.
    package var maximumUnreadByteCount = 64 << 20

    /// Creates the default policy; change what must differ.
    package init() {}
}
