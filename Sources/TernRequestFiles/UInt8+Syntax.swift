// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is an ASCII letter or an underscore.
    var isNameStart: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_") }

    var isNameByte: Bool { self.isNameStart || self.isDigit }

    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        (self.isNameByte || "!#$%&'*+-.^`|~".utf8.contains(self)) && self < 0x80
    }

    /// The bytes of a host with its port (RFC 3986 §3.2.2), without percent-encoding, as in `Destination`.
    var isHostByte: Bool { self.isNameByte || "-.[]:".utf8.contains(self) }

    /// The bytes of a path or a query (RFC 3986 §3.3, §3.4), and non-ASCII bytes, which the client percent-encodes.
    var isTargetByte: Bool { self.isNameByte || self >= 0x80 || "-.~!$&'()*+,;=:@/?%".utf8.contains(self) }
}
