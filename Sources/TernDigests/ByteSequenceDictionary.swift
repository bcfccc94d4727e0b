// SPDX-License-Identifier: Apache-2.0

/// The value of a structured field that is a dictionary of byte sequences (RFC 9651 §4.2.2), such as
/// `sha-256=:X48E9q…:, id=:AA==:`.
///
/// The parser supports only byte sequences as members: a member of another type is a violation. Parameters are checked,
/// and then ignored.
struct ByteSequenceDictionary {
    /// The maximum number of members.
    ///
    /// There are far fewer hash algorithms.
    static let maximumMemberCount = 32
    /// The maximum length of the field in bytes, like the limit for the trailers of a response.
    ///
    /// A digest has fewer than 100 bytes.
    static let maximumByteCount = 16 << 10

    /// The members by their keys.
    ///
    /// "If dictionary already contains a key … overwrite its value" (RFC 9651 §4.2.2).
    private(set) var members: [String: [UInt8]] = [:]

    private let bytes: [UInt8]
    private var position = 0

    /// Parses the lines of a field.
    ///
    /// - Parameter lines: The values of all lines of the field, in order.
    /// - Throws: ``DigestViolation``.
    init(_ lines: [[UInt8]]) throws(DigestViolation) {
        // "parsers MUST combine all field lines in the same section … into one comma-separated field-value" (§4.2)
        let byteCount = lines.reduce(0) { $0 + $1.count + 2 }
        guard byteCount <= Self.maximumByteCount + 2 else { throw .tooLong(limit: Self.maximumByteCount) }
        self.bytes = Array(lines.joined(separator: ", ".utf8))
        self.skip { $0 == UInt8(ascii: " ") }
        while self.current != nil { try self.readMember() }
    }

    private mutating func readMember() throws(DigestViolation) {
        guard let key = self.readKey() else { throw .invalidKey }
        // A member without `=` has the Boolean value true. A value that does not begin with a colon is a list, or an
        // item of another type.
        guard self.read("="), self.current == UInt8(ascii: ":") else { throw .notByteSequence }
        guard let value = self.readByteSequence() else { throw .invalidByteSequence }
        guard self.readParameters() else { throw .invalidParameter }
        self.members[key] = value
        guard self.members.count <= Self.maximumMemberCount else {
            throw .tooManyMembers(limit: Self.maximumMemberCount)
        }
        self.skipBlanks()
        guard self.current != nil else { return }
        guard self.read(",") else { throw .invalidSeparator }
        self.skipBlanks()
        // "There is a trailing comma; fail parsing."
        guard self.current != nil else { throw .invalidSeparator }
    }

    // MARK: Items

    /// Parses a key: a lower-case letter or `*`, followed by lower-case letters, digits, `_`, `-`, `.` and `*` (RFC
    /// 9651 §4.2.3.3).
    private mutating func readKey() -> String? {
        guard let first = self.current, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
        let start = self.position
        self.skip { Self.isLowercase($0) || Self.isDigit($0) || "_-.*".utf8.contains($0) }
        return String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    /// Parses a byte sequence from its opening colon (RFC 9651 §4.2.7).
    private mutating func readByteSequence() -> [UInt8]? {
        guard self.read(":") else { return nil }
        let start = self.position
        self.skip { $0 != UInt8(ascii: ":") }
        let end = self.position
        guard self.read(":") else { return nil }
        return Base64.decoded(self.bytes[start..<end])
    }

    private mutating func readParameters() -> Bool {
        while self.read(";") {
            self.skip { $0 == UInt8(ascii: " ") }
            guard self.readKey() != nil else { return false }
            if self.read("="), !self.readBareItem() { return false }
        }
        return true
    }

    /// Skips an item of any type (RFC 9651 §4.2.3.1), and returns whether it is valid.
    private mutating func readBareItem() -> Bool {
        guard let first = self.current else { return false }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return self.readNumber()
        case UInt8(ascii: "\""): return self.readString()
        case UInt8(ascii: ":"): return self.readByteSequence() != nil
        case UInt8(ascii: "?"):
            self.position += 1
            return self.read("0") || self.read("1")
        case UInt8(ascii: "@"):
            self.position += 1
            return self.readNumber(isWhole: true)
        case UInt8(ascii: "%"): return self.readDisplayString()
        case UInt8(ascii: "*"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            self.skip { Self.isTokenByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return true
        default: return false
        }
    }

    /// Skips an integer of up to 15 digits, or a decimal number with up to 12 digits before and 3 after the point (RFC
    /// 9651 §4.2.4).
    private mutating func readNumber(isWhole: Bool = false) -> Bool {
        _ = self.read("-")
        let wholeCount = self.skip { Self.isDigit($0) }
        guard wholeCount > 0 else { return false }
        guard self.read(".") else { return wholeCount <= 15 }
        let fractionCount = self.skip { Self.isDigit($0) }
        return !isWhole && wholeCount <= 12 && 1...3 ~= fractionCount
    }

    /// Skips a string: visible ASCII in quotation marks, where a backslash escapes a backslash or a quotation mark (RFC
    /// 9651 §4.2.5).
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

    /// Skips a display string, `%"…"` (RFC 9651 §4.2.10).
    ///
    /// In the string, `%` and two lower-case hexadecimal digits stand for a byte.
    ///
    /// Does not check that the bytes are UTF-8.
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

    private var current: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    private mutating func read(_ byte: Unicode.Scalar) -> Bool {
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

    private mutating func skipBlanks() { self.skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    private static func isLowercase(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// Returns whether a token may contain the byte (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        Self.isLowercase(byte) || Self.isDigit(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
