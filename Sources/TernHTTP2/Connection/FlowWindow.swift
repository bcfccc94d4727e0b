// SPDX-License-Identifier: Apache-2.0

/// The number of bytes that the server still accepts on a stream or on the connection (RFC 9113 §6.9).
struct SendWindow: Hashable, Sendable {
    static let largest = 0x7FFF_FFFF

    /// The size of the window.
    ///
    /// It may be negative after the server has lowered its initial window.
    private(set) var byteCount: Int

    init(_ byteCount: Int) { self.byteCount = byteCount }

    mutating func spend(_ byteCount: Int) { self.byteCount -= byteCount }

    /// Adds to the window.
    ///
    /// "A sender MUST NOT allow a flow-control window to exceed 2^31-1 octets" (§6.9.1).
    ///
    /// - Returns: Whether the window was closed and is now open, or `nil` if it would become too large.
    mutating func add(_ byteCount: Int) -> Bool? {
        let sum = self.byteCount + byteCount
        guard sum <= Self.largest else { return nil }
        defer { self.byteCount = sum }
        return self.byteCount <= 0 && sum > 0
    }
}

/// The window for the data of one stream that the server may send.
///
/// The client lets the server send more after the reader has read half a window. So the unread bytes never exceed the
/// window.
struct StreamReceiveWindow: Hashable, Sendable {
    /// The size of the window: the largest number of bytes that may be unread or in flight.
    private(set) var byteCount: Int
    /// The number of bytes that the server may still send.
    private(set) var available: Int
    /// The number of bytes that came, or that a frame's header announced, and that were not read.
    private(set) var unread = 0

    init(_ byteCount: Int) { (self.byteCount, self.available) = (byteCount, byteCount) }

    /// Takes a received frame off the window; returns `false` if the frame is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        self.unread += byteCount
        return true
    }

    /// Notes that the reader has read bytes.
    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// Returns the increment for a WINDOW_UPDATE, or 0 if less than half a window can be given back.
    mutating func takeIncrement() -> Int {
        let owed = self.byteCount - self.available - self.unread
        guard owed > 0, owed * 2 >= self.byteCount else { return 0 }
        self.available += owed
        return owed
    }

    /// Raises the window after the client has raised the initial window; the server adds the difference to the window
    /// of each stream by itself.
    mutating func raise(by byteCount: Int) {
        self.byteCount += byteCount
        self.available += byteCount
    }
}

/// The window for the data of all streams together that the server may send.
///
/// The client lets the server send more as soon as bytes come, not when they are read, so that one slow reader does not
/// block the others. But at most ``maximumUnread`` bytes may be unread or in flight.
struct ConnectionReceiveWindow: Hashable, Sendable {
    /// The size of the window: the largest number of bytes that may be in flight.
    private(set) var byteCount: Int
    private(set) var available: Int
    private(set) var unread = 0
    /// The largest number of bytes of all streams that may wait to be read.
    let maximumUnread: Int

    /// Creates a window that allows the 65,535 bytes of every new connection; a WINDOW_UPDATE has to grant the rest of
    /// `byteCount`.
    init(_ byteCount: Int, maximumUnread: Int) {
        (self.byteCount, self.available) = (
            max(byteCount, FlowPolicy.protocolWindowByteCount), FlowPolicy.protocolWindowByteCount
        )
        self.maximumUnread = max(maximumUnread, self.byteCount)
    }

    /// Takes a received frame off the window; returns `false` if the frame is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        return true
    }

    /// Notes that bytes wait to be read.
    mutating func kept(_ byteCount: Int) { self.unread += byteCount }

    /// Notes that bytes were read or dropped.
    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// Returns the increment for a WINDOW_UPDATE, or 0 if it is not worth a frame.
    ///
    /// Half a window is worth a frame. So are 16 KiB when the server may no longer send a whole frame.
    mutating func takeIncrement() -> Int {
        let owed = min(self.byteCount, self.maximumUnread - self.unread) - self.available
        let frame = FrameDecoder.maximumPayloadByteCount
        guard owed > 0, owed * 2 >= self.byteCount || (self.available < frame && owed >= frame) else { return 0 }
        self.available += owed
        return owed
    }

    mutating func grow(to byteCount: Int) { self.byteCount = max(self.byteCount, byteCount) }
}
