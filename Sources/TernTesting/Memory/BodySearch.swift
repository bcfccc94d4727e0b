// SPDX-License-Identifier: Apache-2.0

/// Finds the start of the first body of a connection.
///
/// Over HTTP/1.1, this is the byte after the head of the first final message. Over HTTP/2, it is the first byte of
/// content in a DATA frame.
struct BodySearch: Sendable {
    /// The end of a head (RFC 9112 §2.1).
    private static let end = Array("\r\n\r\n".utf8)
    /// The beginning of a client's preface, which looks like a head (RFC 9113 §3.4).
    private static let preface = Array("PRI * HTTP/2".utf8)

    private var byteCount = 0
    /// The first 12 bytes of the current head.
    private var beginning: [UInt8] = []
    /// The number of bytes at the start of `end` that the latest bytes match.
    private var matchCount = 0
    /// Whether the first half of the preface was read.
    private var isInPreface = false
    /// The search in the frames of HTTP/2; `nil` before the first frame, and over HTTP/1.1.
    private var frames: FrameSearch?

    /// Reads the next byte.
    ///
    /// If this byte is the last one before the body, returns the number of bytes before the body; otherwise `nil`.
    mutating func read(_ byte: UInt8) -> Int? {
        self.byteCount += 1
        // A server's first frame is a short SETTINGS, whose length begins with 0. No head begins with that byte.
        if self.byteCount == 1, byte == 0 { self.frames = FrameSearch() }
        if self.frames != nil { return self.frames?.read(byte) == true ? self.byteCount : nil }
        if self.beginning.count < 12 { self.beginning.append(byte) }
        if byte == Self.end[self.matchCount] {
            self.matchCount += 1
        } else {
            self.matchCount = byte == Self.end[0] ? 1 : 0
        }
        guard self.matchCount == Self.end.count else { return nil }
        self.matchCount = 0
        defer { self.beginning = [] }
        if self.isInPreface {
            self.frames = FrameSearch()
            return nil
        }
        self.isInPreface = self.beginning == Self.preface
        return self.isInterim || self.isInPreface ? nil : self.byteCount
    }

    /// Whether the current head is the head of an interim response.
    ///
    /// A 101 does not count: the bytes after its head belong to another protocol (RFC 9110 §15.2.2).
    private var isInterim: Bool {
        let text = String(decoding: self.beginning, as: UTF8.self)
        return text.hasPrefix("HTTP/1.1 1") && !text.hasSuffix("101")
    }
}

/// Finds the first DATA frame with content (RFC 9113 §4.1).
private struct FrameSearch: Sendable {
    private var header: [UInt8] = []
    /// The number of bytes of the current payload that are missing.
    private var missingByteCount = 0

    /// Reads the next byte, and returns whether it is the last one before the content.
    mutating func read(_ byte: UInt8) -> Bool {
        if self.missingByteCount > 0 {
            self.missingByteCount -= 1
            return false
        }
        self.header.append(byte)
        guard self.header.count == 9 else { return false }
        let length = self.header[0..<3].reduce(0) { $0 << 8 | Int($1) }
        let isData = self.header[3] == 0
        self.header = []
        if isData, length > 0 { return true }
        self.missingByteCount = length
        return false
    }
}
