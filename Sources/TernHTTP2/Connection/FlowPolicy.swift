// SPDX-License-Identifier: Apache-2.0

/// The sizes of the receive windows for flow control, which are as small as possible without slowing a transfer.
package struct FlowPolicy: Hashable, Sendable {
    /// The size of the window of the connection and of each stream before a peer changes it (RFC 9113 §6.9.2).
    package static let protocolWindowByteCount = 65_535

    /// The initial size of the receive window of a stream, in bytes; it grows for a fast line with a long round trip.
    package var initialStreamWindowByteCount = 1 << 20

    package var initialConnectionWindowByteCount = 2 << 20

    /// The bandwidth, in bytes per second, for which the client sizes the windows as soon as it knows a round trip of the line.
    ///
    /// Until ``WindowEstimator`` has measured the line, this makes a line with a long round trip fast. 0 turns it off.
    package var assumedBytesPerSecond = 500_000_000

    /// The largest size of the receive window of a stream, in bytes, enough for 1 Gbit/s with a round trip of 260 ms.
    ///
    /// Beyond it, the server waits.
    package var maximumWindowByteCount = 32 << 20

    /// The largest number of unread bytes of all streams, four times a window, so that three stopped readers do not block others.
    package var maximumUnreadByteCount = 128 << 20

    package init() {}

    /// Returns a policy whose initial windows are large enough for ``assumedBytesPerSecond`` with this round trip.
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
