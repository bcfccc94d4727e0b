// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Parses a host (RFC 3986 §3.2.2); a name has only letters, digits, `-`, `.` and `_`, as in the DNS and in certificates.
enum HostParser {
    struct Host {
        var text: String
        var isIPv6: Bool
        var end: Int
    }

    static func parse(
        _ bytes: borrowing Span<UInt8>,
        from start: Int,
        to limit: Int
    ) throws(RequestFailure) -> Host {
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
        // If the name ends with a dot, the last label stands before that dot.
        if labelStart < end { lastLabel = (labelStart, end) }
        // A host whose last label is a number is an IPv4 address, which must be written as four decimal numbers.
        // Resolvers also accept `127.1` and `0x7f000001`, but code that checks whether a host is local does not
        // recognize them.
        if self.isNumber(bytes, from: lastLabel.start, to: lastLabel.end), !self.isIPv4(bytes, from: start, to: end) {
            throw .malformedHost
        }
        return Host(text: String(lowercasing: bytes.extracting(start..<end)), isIPv6: false, end: end)
    }

    private static func isNumber(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start < end, bytes[start].isDigit else { return false }
        let isHexadecimal =
            end - start > 1 && bytes[start] == UInt8(ascii: "0") && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
        var index = isHexadecimal ? start + 2 : start
        while index < end, isHexadecimal ? bytes[index].isHexDigit : bytes[index].isDigit { index += 1 }
        return index == end
    }

    /// Returns whether the text is four decimal numbers up to 255, without extra zeros (RFC 3986 §3.2.2, `IPv4address`).
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

    private static func literal(
        _ bytes: borrowing Span<UInt8>,
        from start: Int,
        to limit: Int
    ) throws(RequestFailure) -> Host {
        var (close, percent) = (start + 1, limit)
        while close < limit, bytes[close] != UInt8(ascii: "]") {
            if bytes[close] == UInt8(ascii: "%"), percent == limit { percent = close }
            close += 1
        }
        let addressEnd = min(percent, close)
        guard close < limit, let address = IPv6Address(bytes, from: start + 1, to: addressEnd) else {
            throw .malformedHost
        }
        guard addressEnd < close else { return Host(text: address.text, isIPv6: true, end: close + 1) }
        guard address.isLinkLocal, let zone = self.zone(bytes, from: addressEnd, to: close) else {
            throw .malformedHost
        }
        return Host(text: "\(address.text)%\(zone)", isIPv6: true, end: close + 1)
    }

    /// Returns the zone, "1*( unreserved / pct-encoded )" (RFC 6874 §2); percent-encodings are refused, as interfaces do not need
    /// them.
    private static func zone(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) -> String? {
        guard start + 3 < end, bytes[start + 1] == UInt8(ascii: "2"), bytes[start + 2] == UInt8(ascii: "5") else {
            return nil
        }
        for index in (start + 3)..<end {
            guard bytes[index].isUnreserved else { return nil }
        }
        return String(copying: bytes.extracting((start + 3)..<end))
    }
}
