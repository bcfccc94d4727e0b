// SPDX-License-Identifier: Apache-2.0

/// The number of bytes that the client may still send on a stream or on the connection (RFC 9113 §6.9).
struct SendWindow: Hashable, Sendable {
    static let largest = 0x7FFF_FFFF

    /// The number of bytes that the client may still send; may be below 0 if the server lowers SETTINGS_INITIAL_WINDOW_SIZE.
    private(set) var byteCount: Int

    init(_ byteCount: Int) { self.byteCount = byteCount }

    mutating func spend(_ byteCount: Int) { self.byteCount -= byteCount }

    /// Adds an increment; returns whether the window was closed and is now open, or `nil` if it would be too large: "A sender MUST
    /// NOT allow a flow-control window to exceed 2^31-1 octets" (RFC 9113 §6.9.1).
    mutating func add(_ byteCount: Int) -> Bool? {
        let sum = self.byteCount + byteCount
        guard sum <= Self.largest else { return nil }
        defer { self.byteCount = sum }
        return self.byteCount <= 0 && sum > 0
    }
}

/// The receive window of one stream: the number of bytes that the server may send on it.
///
/// The client sends a WINDOW_UPDATE when the reader has read a quarter of the window, so at least three quarters may be in flight.
struct StreamReceiveWindow: Hashable, Sendable {
    /// The largest number of bytes that may be unread or in flight.
    private(set) var byteCount: Int
    private(set) var available: Int
    /// The number of bytes that have arrived, or that the header of a frame has announced, and that the reader has not read.
    private(set) var unread = 0

    init(_ byteCount: Int) { (self.byteCount, self.available) = (byteCount, byteCount) }

    /// Subtracts a received frame from the window; returns `false` if the frame is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        self.unread += byteCount
        return true
    }

    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// Returns the increment for a WINDOW_UPDATE; 0 below a quarter of the window, because the server cannot use the part that the
    /// client holds back, and ``WindowEstimator`` would not see that the window limits the transfer.
    mutating func takeIncrement() -> Int {
        let owed = self.byteCount - self.available - self.unread
        guard owed > 0, owed * 4 >= self.byteCount else { return 0 }
        self.available += owed
        return owed
    }

    /// Raises the window after SETTINGS_INITIAL_WINDOW_SIZE was raised; the server does the same without a WINDOW_UPDATE.
    mutating func raise(by byteCount: Int) {
        self.byteCount += byteCount
        self.available += byteCount
    }
}

/// The receive window of the connection: the number of bytes that the server may send on all streams together.
///
/// The server may send more when bytes arrive, even before they are read, so that a slow reader does not block other streams, as
/// long as at most ``maximumUnread`` bytes are unread.
struct ConnectionReceiveWindow: Hashable, Sendable {
    private(set) var byteCount: Int
    private(set) var available: Int
    private(set) var unread = 0
    let maximumUnread: Int

    /// Creates a window of 65,535 bytes, as every new connection has; the client must grant the rest in a WINDOW_UPDATE.
    init(_ byteCount: Int, maximumUnread: Int) {
        (self.byteCount, self.available) = (
            max(byteCount, FlowPolicy.protocolWindowByteCount), FlowPolicy.protocolWindowByteCount
        )
        self.maximumUnread = max(maximumUnread, self.byteCount)
    }

    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        return true
    }

    mutating func kept(_ byteCount: Int) { self.unread += byteCount }

    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// Returns the increment for a WINDOW_UPDATE: at least half a window, or 16 KiB if no frame of that length would fit; else 0.
    mutating func takeIncrement() -> Int {
        let owed = min(self.byteCount, self.maximumUnread - self.unread) - self.available
        let frame = FrameDecoder.maximumPayloadByteCount
        guard owed > 0, owed * 2 >= self.byteCount || (self.available < frame && owed >= frame) else { return 0 }
        self.available += owed
        return owed
    }

    mutating func grow(to byteCount: Int) { self.byteCount = max(self.byteCount, byteCount) }
}
