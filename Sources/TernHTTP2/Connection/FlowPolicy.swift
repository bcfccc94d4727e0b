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

    /// The bandwidth for which the windows are sized as soon as a round trip of the line is known, in bytes per second.
    ///
    /// If this bandwidth carries more than the initial window in a round trip, the window begins with that size. So a
    /// long line is not slow until ``WindowEstimator`` has measured it. Defaults to 4 Gbit/s: on a line with a round
    /// trip of less than 2 ms, the initial window is large enough for that. 0 turns this off.
    package var assumedBytesPerSecond = 500_000_000

    /// The largest size of the receive window of a stream, in bytes.
    ///
    /// A window grows to twice the data that arrives in one round trip. Defaults to 32 MiB, as in curl. That is enough
    /// for 1 Gbit/s with a round trip of 260 ms. The window of the connection grows to at most twice this maximum.
    package var maximumWindowByteCount = 32 << 20

    /// The number of bytes of all streams that may wait to be read.
    ///
    /// At this number, the window of the connection closes.
    ///
    /// Defaults to 128 MiB, four times the largest window of a stream. So three streams whose readers have stopped do
    /// not block the other streams.
    package var maximumUnreadByteCount = 128 << 20

    /// Creates the default policy.
    package init() {}

    /// Returns the policy for a line of which a round trip is known: its initial windows are large enough for
    /// ``assumedBytesPerSecond``.
    package func sized(for roundTrip: Duration) -> FlowPolicy {
        let byteCount = Self.byteCount(in: roundTrip, self.assumedBytesPerSecond, upTo: self.maximumWindowByteCount)
        guard byteCount > self.initialStreamWindowByteCount else { return self }
        var policy = self
        policy.initialStreamWindowByteCount = byteCount
        policy.initialConnectionWindowByteCount = max(self.initialConnectionWindowByteCount, 2 * byteCount)
        return policy
    }

    /// Returns how much a bandwidth carries in a round trip, but at most `maximumByteCount`.
    static func byteCount(in roundTrip: Duration, _ bytesPerSecond: Int, upTo maximumByteCount: Int) -> Int {
        Int(min(max(0, roundTrip / .seconds(1) * Double(bytesPerSecond)), Double(maximumByteCount)))
    }
}
