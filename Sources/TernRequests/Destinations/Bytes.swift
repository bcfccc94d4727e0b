// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `A` to `Z`, `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// `0` to `9`, `A` to `F`, `a` to `f`.
    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// What a scheme is made of (RFC 3986 §3.1).
    var isSchemeByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// What the label of a host name is made of; the underscore is no letter of a host name, but many have one.
    var isNameByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    /// What never needs percent-encoding (RFC 3986 §2.3).
    var isUnreserved: Bool { self.isNameByte || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        if self.isDigit { return self - UInt8(ascii: "0") }
        return self.isHexDigit ? (self | 0x20) - UInt8(ascii: "a") + 10 : nil
    }
}

extension String {
    /// Creates a string from bytes that are UTF-8; what is not is repaired.
    init(copying bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Creates a string from ASCII bytes, with its letters in lower case.
    init(lowercasing bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { source in
            String(unsafeUninitializedCapacity: source.count) { target in
                for index in source.indices {
                    let isUppercase = source[index] &- UInt8(ascii: "A") < 26
                    target.initializeElement(at: index, to: isUppercase ? source[index] | 0x20 : source[index])
                }
                return source.count
            }
        }
    }
}
