// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// A space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `A` to `Z`, `a` to `z`, or an underscore.
    var isNameStart: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_") }

    /// What a name goes on with.
    var isNameByte: Bool { self.isNameStart || self.isDigit }

    /// `0` to `9`, `A` to `F`, `a` to `f`.
    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// What a token is made of (RFC 9110 §5.6.2).
    var isTokenByte: Bool {
        (self.isNameByte || "!#$%&'*+-.^`|~".utf8.contains(self)) && self < 0x80
    }

    /// What may stand literally in a host, with its port (RFC 3986 §3.2.2); no percent-encoding, as in `Destination`.
    var isHostByte: Bool { self.isNameByte || "-.[]:".utf8.contains(self) }

    /// What may stand literally in a path or a query (RFC 3986 §3.3, §3.4); what is not ASCII is encoded when it is sent.
    var isTargetByte: Bool { self.isNameByte || self >= 0x80 || "-.~!$&'()*+,;=:@/?%".utf8.contains(self) }
}
