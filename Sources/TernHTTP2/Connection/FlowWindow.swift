// SPDX-License-Identifier: Apache-2.0

/// How many bytes the server still takes (RFC 9113 §6.9), for a stream or for the connection.
struct SendWindow: Hashable, Sendable {
    static let largest = 0x7FFF_FFFF

    /// May be negative, after the server has lowered its initial window.
    private(set) var byteCount: Int

    init(_ byteCount: Int) { self.byteCount = byteCount }

    mutating func spend(_ byteCount: Int) { self.byteCount -= byteCount }

    /// Adds to the window.
    ///
    /// "A sender MUST NOT allow a flow-control window to exceed 2^31-1 octets" (§6.9.1).
    ///
    /// - Returns: whether the window opened, having been closed; `nil` if it became too large.
    mutating func add(_ byteCount: Int) -> Bool? {
        let sum = self.byteCount + byteCount
        guard sum <= Self.largest else { return nil }
        defer { self.byteCount = sum }
        return self.byteCount <= 0 && sum > 0
    }
}

/// How much of a stream the server may send, and when it learns that it may send more.
///
/// Bytes are promised again once they were read, half a window at a time. So what waits to be read never exceeds the
/// window.
struct StreamReceiveWindow: Hashable, Sendable {
    /// How much may be unread and under way.
    private(set) var byteCount: Int
    /// How much the server may still send.
    private(set) var available: Int
    /// How much came, or was announced by the header of a frame, and was not read.
    private(set) var unread = 0

    init(_ byteCount: Int) { (self.byteCount, self.available) = (byteCount, byteCount) }

    /// A frame came; `false` if it is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        self.unread += byteCount
        return true
    }

    /// Bytes were read.
    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// What to promise now; 0 if it is not worth a frame.
    mutating func takeIncrement() -> Int {
        let owed = self.byteCount - self.available - self.unread
        guard owed > 0, owed * 2 >= self.byteCount else { return 0 }
        self.available += owed
        return owed
    }

    /// The initial window of all streams was raised, which the server adds to this one itself.
    mutating func raise(by byteCount: Int) {
        self.byteCount += byteCount
        self.available += byteCount
    }
}

/// How much of all streams together the server may send.
///
/// Bytes are promised again when they come, not when they are read, so that one slow reader does not stop the others;
/// but no more than ``maximumUnread`` may be unread or under way.
struct ConnectionReceiveWindow: Hashable, Sendable {
    /// How much may be under way.
    private(set) var byteCount: Int
    private(set) var available: Int
    private(set) var unread = 0
    /// How much of all streams may wait to be read.
    let maximumUnread: Int

    /// Creates the window that every connection begins with; what is wanted beyond that has to be promised.
    init(_ byteCount: Int, maximumUnread: Int) {
        (self.byteCount, self.available) = (
            max(byteCount, FlowPolicy.protocolWindowByteCount), FlowPolicy.protocolWindowByteCount
        )
        self.maximumUnread = max(maximumUnread, self.byteCount)
    }

    /// A frame came; `false` if it is longer than the window allows.
    mutating func received(_ byteCount: Int) -> Bool {
        guard byteCount <= self.available else { return false }
        self.available -= byteCount
        return true
    }

    /// Bytes wait to be read.
    mutating func kept(_ byteCount: Int) { self.unread += byteCount }

    /// Bytes were read or dropped.
    mutating func read(_ byteCount: Int) { self.unread -= min(byteCount, self.unread) }

    /// What to promise now; 0 if it is not worth a frame: half a window, or, where little is left, a whole frame's
    /// content.
    mutating func takeIncrement() -> Int {
        let owed = min(self.byteCount, self.maximumUnread - self.unread) - self.available
        let frame = FrameDecoder.maximumPayloadByteCount
        guard owed > 0, owed * 2 >= self.byteCount || (self.available < frame && owed >= frame) else { return 0 }
        self.available += owed
        return owed
    }

    mutating func grow(to byteCount: Int) { self.byteCount = max(self.byteCount, byteCount) }
}
