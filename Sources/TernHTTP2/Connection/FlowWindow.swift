// SPDX-License-Identifier: Apache-2.0

/// The number of bytes that the client may still send on a stream or on the connection (RFC 9113 §6.9).
struct SendWindow: Hashable, Sendable {
    static let largest = 0x7FFF_FFFF

    /// The number of bytes that the client may still send.
    ///
    /// The number may be negative after the server has lowered SETTINGS_INITIAL_WINDOW_SIZE.
    private(set) var byteCount: Int

    init(_ byteCount: Int) { self.byteCount = byteCount }

    mutating func spend(_ byteCount: Int) { self.byteCount -= byteCount }

    /// Adds the increment of a WINDOW_UPDATE, or a change of SETTINGS_INITIAL_WINDOW_SIZE.
    ///
    /// "A sender MUST NOT allow a flow-control window to exceed 2^31-1 octets" (RFC 9113 §6.9.1).
    ///
    /// - Returns: Whether the window was closed and is now open, or `nil` if the window would become too large.
    mutating func add(_ byteCount: Int) -> Bool? {
        let sum = self.byteCount + byteCount
        guard sum <= Self.largest else { return nil }
        defer { self.byteCount = sum }
        return self.byteCount <= 0 && sum > 0
    }
}

/// The receive window of one stream: the number of bytes that the server may send on it.
///
/// The client sends a WINDOW_UPDATE when the reader has read a quarter of the window, like gRPC. So there are never
/// more unread bytes than the window allows, and if the reader is fast, at least three quarters of the window may be in
/// flight.
struct StreamReceiveWindow: Hashable, Sendable {
    /// The size of the window: the largest number of bytes that may be unread or in flight.
    private(set) var byteCount: Int
    /// The number of bytes that the server may still send.
    private(set) var available: Int
    /// The number of bytes that the reader has not read yet.
    ///
    /// These bytes have arrived, or the header of a frame has announced them.
    private(set) var unread = 0

    init(_ byteCount: Int) { (self.byteCount, self.available) = (byteCount, byteCount) }

    /// Subtracts a received frame from the window, or returns `false` if the frame is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        self.unread += byteCount
        return true
    }

    /// Records that the reader has read bytes.
    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// Returns the increment for a WINDOW_UPDATE, or 0 if the increment would be less than a quarter of the window.
    ///
    /// The server cannot use the part of the window that the client holds back. If the client held back half a window,
    /// only half a window could arrive in each round trip, and ``WindowEstimator`` would not see that the window limits
    /// the transfer.
    mutating func takeIncrement() -> Int {
        let owed = self.byteCount - self.available - self.unread
        guard owed > 0, owed * 4 >= self.byteCount else { return 0 }
        self.available += owed
        return owed
    }

    /// Raises the window after the client has raised SETTINGS_INITIAL_WINDOW_SIZE.
    ///
    /// The server makes the same change without a WINDOW_UPDATE.
    mutating func raise(by byteCount: Int) {
        self.byteCount += byteCount
        self.available += byteCount
    }
}

/// The receive window of the connection: the number of bytes that the server may send on all streams together.
///
/// The client lets the server send more when bytes arrive, even before they are read. So a slow reader of one stream
/// does not block the other streams. At most ``maximumUnread`` bytes may be unread or in flight.
struct ConnectionReceiveWindow: Hashable, Sendable {
    /// The size of the window: the largest number of bytes that may be in flight.
    private(set) var byteCount: Int
    private(set) var available: Int
    private(set) var unread = 0
    /// The largest number of bytes of all streams that may wait to be read.
    let maximumUnread: Int

    /// Creates a window that allows 65,535 bytes, like every new connection.
    ///
    /// The client must grant the rest of `byteCount` in a WINDOW_UPDATE.
    init(_ byteCount: Int, maximumUnread: Int) {
        (self.byteCount, self.available) = (
            max(byteCount, FlowPolicy.protocolWindowByteCount), FlowPolicy.protocolWindowByteCount
        )
        self.maximumUnread = max(maximumUnread, self.byteCount)
    }

    /// Subtracts a received frame from the window, or returns `false` if the frame is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        return true
    }

    /// Records that bytes wait to be read.
    mutating func kept(_ byteCount: Int) { self.unread += byteCount }

    /// Records that bytes were read or dropped.
    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// Returns the increment for a WINDOW_UPDATE, or 0 if the increment is too small to be worth a frame.
    ///
    /// An increment of at least half a window is worth a frame. So is an increment of at least 16 KiB if less than 16
    /// KiB of the window is left, because the server could not send a frame of the largest size.
    mutating func takeIncrement() -> Int {
        let owed = min(self.byteCount, self.maximumUnread - self.unread) - self.available
        let frame = FrameDecoder.maximumPayloadByteCount
        guard owed > 0, owed * 2 >= self.byteCount || (self.available < frame && owed >= frame) else { return 0 }
        self.available += owed
        return owed
    }

    mutating func grow(to byteCount: Int) { self.byteCount = max(self.byteCount, byteCount) }
}
