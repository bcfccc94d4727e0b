// SPDX-License-Identifier: Apache-2.0

/// The sizes of the receive windows for flow control.
///
/// The windows are as small as possible without slowing a transfer.
package struct FlowPolicy: Hashable, Sendable {
    /// The size of the window of the connection and of each stream before a peer changes it (RFC 9113 §6.9.2).
    package static let protocolWindowByteCount = 65_535

    /// The initial size of the receive window of a stream, in bytes.
    ///
    /// Defaults to 1 MiB. Because the window grows, a long download over a fast line with a long round trip takes no
    /// longer than with curl's fixed window of 10 MiB. For comparison: hyper and Apple's URLSession use 2 MiB, and Go 4
    /// MiB.
    package var initialStreamWindowByteCount = 1 << 20

    /// The initial size of the receive window of the connection, in bytes.
    ///
    /// Defaults to 2 MiB.
    package var initialConnectionWindowByteCount = 2 << 20

    /// The bandwidth, in bytes per second, for which the client sizes the windows as soon as it knows a round trip of
    /// the line.
    ///
    /// If a line with this bandwidth carries more bytes in a round trip than the initial window allows, the window
    /// starts with that number of bytes. So a line with a long round trip is fast even before ``WindowEstimator`` has
    /// measured it. Defaults to 4 Gbit/s, for which the initial window is large enough if the round trip is shorter
    /// than 2 ms. 0 turns this off.
    package var assumedBytesPerSecond = 500_000_000

    /// The largest size of the receive window of a stream, in bytes.
    ///
    /// A window grows to twice the data that arrives in one round trip. Defaults to 32 MiB, like the fixed window of
    /// older versions of curl. That is enough for 1 Gbit/s with a round trip of 260 ms. The window of the connection
    /// grows to at most twice this maximum.
    package var maximumWindowByteCount = 32 << 20

    /// The largest number of bytes of all streams together that may wait to be read.
    ///
    /// At this number, the window of the connection closes.
    ///
    /// Defaults to 128 MiB, four times the largest window of a stream. So three streams whose readers have stopped do
    /// not block the other streams.
    package var maximumUnreadByteCount = 128 << 20

    /// Creates the default policy.
    package init() {}

    /// Returns a policy whose initial windows are large enough for ``assumedBytesPerSecond`` on a line with this round
    /// trip.
    ///
    /// The initial window of a stream grows to at most `maximumWindowByteCount`.
    package func sized(for roundTrip: Duration) -> FlowPolicy {
        let byteCount = Self.byteCount(in: roundTrip, self.assumedBytesPerSecond, upTo: self.maximumWindowByteCount)
        guard byteCount > self.initialStreamWindowByteCount else { return self }
        var policy = self
        policy.initialStreamWindowByteCount = byteCount
        policy.initialConnectionWindowByteCount = max(self.initialConnectionWindowByteCount, 2 * byteCount)
        return policy
    }

    /// Returns the number of bytes that a line with this bandwidth carries in a round trip, at most `maximumByteCount`.
    static func byteCount(in roundTrip: Duration, _ bytesPerSecond: Int, upTo maximumByteCount: Int) -> Int {
        Int(min(max(0, roundTrip / .seconds(1) * Double(bytesPerSecond)), Double(maximumByteCount)))
    }
}
