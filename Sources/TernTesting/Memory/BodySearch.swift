// SPDX-License-Identifier: Apache-2.0

/// Finds the start of the first body: after the head of a final message, or in a DATA frame of HTTP/2.
struct BodySearch: Sendable {
    private static let end = Array("\r\n\r\n".utf8)
    /// RFC 9113 §3.4; it looks like a head.
    private static let preface = Array("PRI * HTTP/2".utf8)

    private var byteCount = 0
    private var beginning: [UInt8] = []
    private var matchCount = 0
    private var isInPreface = false
    /// `nil` before the first frame, and over HTTP/1.1.
    private var frames: FrameSearch?

    /// Reads a byte; returns the number of bytes before the body if it is the last of them.
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

    /// A 101 does not count: the bytes after its head belong to another protocol (RFC 9110 §15.2.2).
    private var isInterim: Bool {
        let text = String(decoding: self.beginning, as: UTF8.self)
        return text.hasPrefix("HTTP/1.1 1") && !text.hasSuffix("101")
    }
}

private struct FrameSearch: Sendable {
    private var header: [UInt8] = []
    private var missingByteCount = 0

    /// Reads a byte; returns whether it is the last one before the content.
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
