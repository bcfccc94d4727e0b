// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Reads one response head, in one pass that can stop and continue at any byte.
struct HeadScan: Sendable {
    struct StatusLine: Sendable {
        var minorVersion: Int
        var statusCode: Int
        var reasonStart: Int
        var endsInBareLineFeed: Bool
    }

    /// The status line; `nil` until its end has arrived.
    private(set) var statusLine: StatusLine?
    private(set) var fields = FieldScan()

    private var searchedEnd = 0

    var hasBegun: Bool { self.searchedEnd > 0 }

    /// Reads up to the end of the head; returns whether the end has arrived.
    mutating func scan(_ bytes: ByteView, limits: HTTP1Limits) throws(HTTP1Violation) -> Bool {
        let maximum = limits.maximumHeadByteCount
        let end = min(bytes.count, maximum)
        guard
            try self.scanStatusLine(bytes, to: end),
            try self.fields.scan(bytes, to: end, maximumCount: limits.maximumFieldCount)
        else {
            if end == maximum { throw .headTooLong(limit: maximum) }
            return false
        }
        return true
    }

    private mutating func scanStatusLine(_ bytes: ByteView, to end: Int) throws(HTTP1Violation) -> Bool {
        if self.statusLine != nil { return true }
        // If the text does not begin with `HTTP/`, reject it at the first wrong byte. A peer that does not speak HTTP
        // may never send an LF, so waiting for the end of the line could take forever.
        if self.searchedEnd < Self.protocolName.utf8CodeUnitCount, !bytes.hasPrefix(Self.protocolName, to: end) {
            throw .malformedStatusLine
        }
        guard let lineFeed = bytes.firstLineFeed(from: self.searchedEnd, to: end) else {
            self.searchedEnd = end
            return false
        }
        self.searchedEnd = lineFeed + 1
        self.statusLine = try Self.statusLine(bytes, lineFeed: lineFeed)
        self.fields = FieldScan(start: lineFeed + 1)
        return true
    }

    private static let protocolName: StaticString = "HTTP/"

    private static func statusLine(_ bytes: ByteView, lineFeed: Int) throws(HTTP1Violation) -> StatusLine {
        // RFC 9112 §2.2: "a recipient MAY recognize a single LF as a line terminator".
        let end = bytes.endOfLine(lineFeed: lineFeed)
        guard
            end >= 9, let major = Self.digit(bytes[5]), bytes[6] == UInt8(ascii: "."),
            let minor = Self.digit(bytes[7]), bytes[8] == UInt8(ascii: " ")
        else { throw .malformedStatusLine }
        guard major == 1 else { throw .unsupportedVersion }
        guard
            end >= 12, let hundreds = Self.digit(bytes[9]), let tens = Self.digit(bytes[10]),
            let ones = Self.digit(bytes[11]), hundreds > 0, end == 12 || Self.digit(bytes[12]) == nil
        else { throw .invalidStatusCode }
        guard end == 12 || bytes[12] == UInt8(ascii: " ") else { throw .malformedStatusLine }
        let reasonStart = min(13, end)
        let reasonEnd = bytes.endOfText(from: reasonStart, to: end)
        guard reasonEnd == end else {
            throw bytes[reasonEnd] == UInt8(ascii: "\r") ? .bareCarriageReturn : .malformedStatusLine
        }
        // RFC 9110 §2.5: a recipient treats a higher minor version like the highest minor version that it knows.
        return StatusLine(
            minorVersion: min(minor, 1),
            statusCode: hundreds * 100 + tens * 10 + ones,
            reasonStart: reasonStart,
            endsInBareLineFeed: end == lineFeed
        )
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte &- UInt8(ascii: "0") <= 9 ? Int(byte &- UInt8(ascii: "0")) : nil
    }
}
