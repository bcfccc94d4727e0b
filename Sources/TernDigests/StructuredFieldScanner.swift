// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of a structured field, one after the other (RFC 9651 §4.2), until a part is not valid (`nil` or `false`).
struct StructuredFieldScanner {
    /// The maximum length of a structured field, such as one with digests, in bytes, as for the trailers of a response.
    ///
    /// Beyond it, the field is ignored, or the call throws `ClientError.digestFailed(.malformed)`.
    static let maximumByteCount = 16 << 10

    private let bytes: [UInt8]
    private var position = 0

    /// Skips leading spaces; `nil` if the lines together are longer than ``maximumByteCount``.
    init?(_ lines: [[UInt8]]) {
        // "parsers MUST combine all field lines in the same section … into one comma-separated field-value" (§4.2)
        let byteCount = lines.reduce(0) { $0 + $1.count + 2 }
        guard byteCount <= Self.maximumByteCount + 2 else { return nil }
        self.bytes = Array(lines.joined(separator: ", ".utf8))
        self.skipSpaces()
    }

    var isAtEnd: Bool { self.current == nil }

    // MARK: Keys and parameters

    /// A lower-case letter or `*`, then lower-case letters, digits, `_`, `-`, `.` and `*` (RFC 9651 §4.2.3.3).
    mutating func readKey() -> String? {
        guard let first = self.current, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
        let start = self.position
        self.skip { Self.isLowercase($0) || Self.isDigit($0) || "_-.*".utf8.contains($0) }
        return String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    /// Skips the parameters, and returns whether they are valid.
    mutating func skipParameters() -> Bool {
        while self.read(";") {
            self.skipSpaces()
            guard self.readKey() != nil else { return false }
            if self.read("="), self.readBareItem() == nil { return false }
        }
        return true
    }

    /// Reads a comma with the blanks around it; returns whether a further member or the end of the field follows.
    mutating func readSeparator() -> Bool {
        self.skipBlanks()
        guard self.current != nil else { return true }
        guard self.read(",") else { return false }
        self.skipBlanks()
        // "There is a trailing comma; fail parsing."
        return self.current != nil
    }

    // MARK: Items

    /// Reads an item without its parameters (RFC 9651 §4.2.3.1).
    mutating func readBareItem() -> StructuredFieldItem? {
        guard let first = self.current else { return nil }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return self.readNumber()
        case UInt8(ascii: "\""): return self.readString() ? .string : nil
        case UInt8(ascii: ":"): return self.readByteSequence().map { .byteSequence($0) }
        case UInt8(ascii: "?"):
            self.position += 1
            return self.read("1") ? .boolean(true) : self.read("0") ? .boolean(false) : nil
        case UInt8(ascii: "@"):
            self.position += 1
            guard case .integer? = self.readNumber() else { return nil }
            return .date
        case UInt8(ascii: "%"): return self.readDisplayString() ? .displayString : nil
        case UInt8(ascii: "*"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            self.skip { Self.isTokenByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .token
        default: return nil
        }
    }

    /// From the opening colon (RFC 9651 §4.2.7).
    mutating func readByteSequence() -> [UInt8]? {
        guard self.read(":") else { return nil }
        let start = self.position
        self.skip { $0 != UInt8(ascii: ":") }
        let end = self.position
        guard self.read(":") else { return nil }
        return Base64.decoded(self.bytes[start..<end])
    }

    /// From the opening parenthesis (RFC 9651 §4.2.1.2).
    mutating func skipInnerList() -> Bool {
        guard self.read("(") else { return false }
        while true {
            self.skipSpaces()
            if self.read(")") { return true }
            guard self.readBareItem() != nil, self.skipParameters(),
                self.current == UInt8(ascii: " ") || self.current == UInt8(ascii: ")")
            else { return false }
        }
    }

    /// Up to 15 digits, or a decimal number with up to 12 digits before and 3 after the point (RFC 9651 §4.2.4).
    private mutating func readNumber() -> StructuredFieldItem? {
        let start = self.position
        _ = self.read("-")
        let wholeCount = self.skip { Self.isDigit($0) }
        guard wholeCount > 0 else { return nil }
        guard self.read(".") else {
            guard wholeCount <= 15 else { return nil }
            return Int64(String(decoding: self.bytes[start..<self.position], as: UTF8.self)).map { .integer($0) }
        }
        let fractionCount = self.skip { Self.isDigit($0) }
        return wholeCount <= 12 && 1...3 ~= fractionCount ? .decimal : nil
    }

    /// Visible ASCII in quotation marks, where a backslash escapes a backslash or a quotation mark (RFC 9651 §4.2.5).
    private mutating func readString() -> Bool {
        self.position += 1
        while let byte = self.current {
            self.position += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard self.read("\"") || self.read("\\") else { return false }
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    /// Skips `%"…"`, where `%` and two lower-case hexadecimal digits stand for a byte, without a check of UTF-8 (RFC 9651
    /// §4.2.10).
    private mutating func readDisplayString() -> Bool {
        self.position += 1
        guard self.read("\"") else { return false }
        while let byte = self.current {
            self.position += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "%"):
                for _ in 0..<2 {
                    guard let digit = self.current, Self.isDigit(digit) || "abcdef".utf8.contains(digit) else {
                        return false
                    }
                    self.position += 1
                }
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    // MARK: Bytes

    var current: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    /// Reads the byte, if it is the next one; returns whether it is.
    mutating func read(_ byte: Unicode.Scalar) -> Bool {
        guard self.current == UInt8(ascii: byte) else { return false }
        self.position += 1
        return true
    }

    @discardableResult
    private mutating func skip(while isSkipped: (UInt8) -> Bool) -> Int {
        let start = self.position
        while let byte = self.current, isSkipped(byte) { self.position += 1 }
        return self.position - start
    }

    mutating func skipSpaces() { self.skip { $0 == UInt8(ascii: " ") } }

    mutating func skipBlanks() { self.skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    private static func isLowercase(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        Self.isLowercase(byte) || Self.isDigit(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
