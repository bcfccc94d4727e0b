// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Reads the host of a URL: a registered name, an IPv4 address or an IPv6 literal (RFC 3986 §3.2.2).
///
/// Narrower than the grammar, which lets a name hold nearly anything: here a name has letters, digits, `-`, `.` and `_`,
/// as the names have that the DNS and certificates know.
enum HostParser {
    /// The host in lower case and without brackets, and the index after it, where the port may begin.
    struct Host {
        var text: String
        var isIPv6: Bool
        var end: Int
    }

    static func parse(
        _ bytes: borrowing Span<UInt8>,
        from start: Int,
        to limit: Int
    ) throws(InvalidRequest) -> Host {
        guard start < limit, bytes[start] != UInt8(ascii: ":") else { throw .missingHost }
        guard bytes[start] != UInt8(ascii: "[") else { return try self.literal(bytes, from: start, to: limit) }
        var end = start
        var labelStart = start
        var lastLabel = (start: start, end: start)
        while end < limit, bytes[end] != UInt8(ascii: ":") {
            if bytes[end] == UInt8(ascii: ".") {
                guard end > labelStart else { throw .malformedHost }
                lastLabel = (labelStart, end)
                labelStart = end + 1
            } else if !bytes[end].isNameByte {
                throw .malformedHost
            }
            end += 1
        }
        // The dot that may end a name has no label after it.
        if labelStart < end { lastLabel = (labelStart, end) }
        // A number at the end makes it an IPv4 address, of which only the common form is taken: resolvers also read
        // `127.1` and `0x7f000001`, and whoever checks a host for being local does not.
        if self.isNumber(bytes, from: lastLabel.start, to: lastLabel.end), !self.isIPv4(bytes, from: start, to: end) {
            throw .malformedHost
        }
        return Host(text: String(lowercasing: bytes.extracting(start..<end)), isIPv6: false, end: end)
    }

    /// Whether a label is a decimal or hexadecimal number.
    private static func isNumber(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start < end, bytes[start].isDigit else { return false }
        let isHexadecimal =
            end - start > 1 && bytes[start] == UInt8(ascii: "0") && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
        var index = isHexadecimal ? start + 2 : start
        while index < end, isHexadecimal ? bytes[index].isHexDigit : bytes[index].isDigit { index += 1 }
        return index == end
    }

    /// Four decimal numbers up to 255, without superfluous zeros (RFC 3986 §3.2.2, `IPv4address`).
    static func isIPv4(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var (groups, value, digits) = (1, 0, 0)
        for index in start..<end {
            if bytes[index] == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                (groups, value, digits) = (groups + 1, 0, 0)
            } else {
                guard bytes[index].isDigit, digits == 0 || value > 0 else { return false }
                value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                digits += 1
                guard value <= 255 else { return false }
            }
        }
        return groups == 4 && digits > 0
    }

    /// An address in brackets, without a zone, which would mean something on one machine only (RFC 6874 §3).
    private static func literal(
        _ bytes: borrowing Span<UInt8>,
        from start: Int,
        to limit: Int
    ) throws(InvalidRequest) -> Host {
        var close = start + 1
        while close < limit, bytes[close] != UInt8(ascii: "]") { close += 1 }
        guard close < limit, self.isIPv6(bytes, from: start + 1, to: close) else { throw .malformedHost }
        let text = String(lowercasing: bytes.extracting((start + 1)..<close))
        return Host(text: text, isIPv6: true, end: close + 1)
    }

    /// Eight groups of up to four digits, of which `::` may stand for one or more; the last two may be an IPv4 address.
    static func isIPv6(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var (groups, isShortened, index) = (0, false, start)
        while index < end {
            if bytes[index] == UInt8(ascii: ":") {
                // Either "::", or the single colon before the next group.
                if index + 1 < end, bytes[index + 1] == UInt8(ascii: ":") {
                    guard !isShortened else { return false }
                    isShortened = true
                    index += 2
                    continue
                }
                guard index > start, bytes[index - 1] != UInt8(ascii: ":"), index + 1 < end else { return false }
                index += 1
            }
            let group = index
            while index < end, bytes[index].isHexDigit { index += 1 }
            if index < end, bytes[index] == UInt8(ascii: ".") {
                guard self.isIPv4(bytes, from: group, to: end) else { return false }
                groups += 2
                index = end
            } else {
                guard 1...4 ~= index - group, index == end || bytes[index] == UInt8(ascii: ":") else { return false }
                groups += 1
            }
        }
        return isShortened ? groups <= 7 : groups == 8
    }
}
