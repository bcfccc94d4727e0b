// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether the byte is a digit, `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is an ASCII letter or an underscore.
    var isNameStart: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_") }

    /// Whether the byte may follow the first byte of a name.
    var isNameByte: Bool { self.isNameStart || self.isDigit }

    /// Whether the byte is a hexadecimal digit, in either case.
    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// Whether the byte is allowed in a token (RFC 9110 §5.6.2).
    var isTokenByte: Bool {
        (self.isNameByte || "!#$%&'*+-.^`|~".utf8.contains(self)) && self < 0x80
    }

    /// Whether the byte is allowed in a host with its port (RFC 3986 §3.2.2), without percent-encoding, as in
    /// `Destination`.
    var isHostByte: Bool { self.isNameByte || "-.[]:".utf8.contains(self) }

    /// Whether the byte is allowed in a path or a query (RFC 3986 §3.3, §3.4).
    ///
    /// Non-ASCII bytes are allowed, because the client percent-encodes them.
    var isTargetByte: Bool { self.isNameByte || self >= 0x80 || "-.~!$&'()*+,;=:@/?%".utf8.contains(self) }
}
