// SPDX-License-Identifier: Apache-2.0

package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number that the parser reads as an integer of 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The maximum depth of nested values, more than three times that of documents that people write.
    package static let maximumDepth = 32
}

extension JSONValue: Decodable {
    /// Decodes any value by trying one type after the other, which is slow: use it only for short texts of trusted servers.
    package init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maximumDepth else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "The values are nested too deeply.")
            throw DecodingError.dataCorrupted(context)
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

extension JSONValue {
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of the case `integer`, if it fits into `Int`; `nil` for all other values.
    package var integer: Int? {
        if case .integer(let value) = self { Int(exactly: value) } else { nil }
    }
}

/// Parses a text as JSON (RFC 8259).
struct JSONReader {
    /// The maximum number of values in a text, which bounds the memory that a server can use.
    static let maximumValueCount = 4096
    /// The maximum length of a number in bytes, while one of 64 bits has at most 20 digits.
    private static let maximumNumberByteCount = 128

    let bytes: [UInt8]
    var position = 0
    private var valueCount = 0

    /// Parses a whole text; `nil` if it is not JSON, or exceeds a limit for values, depth or numbers.
    static func value(of bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes: bytes)
        guard let value = reader.value(depth: 1) else { return nil }
        reader.skipSpace()
        return reader.position == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) -> JSONValue? {
        self.valueCount += 1
        guard self.valueCount <= Self.maximumValueCount, depth <= JSONValue.maximumDepth else { return nil }
        self.skipSpace()
        switch self.next {
        case UInt8(ascii: "{"): return self.object(depth: depth)
        case UInt8(ascii: "["): return self.array(depth: depth)
        case UInt8(ascii: "\""): return self.string().map { .string($0) }
        case UInt8(ascii: "t"): return self.take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return self.take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return self.take("null") ? .null : nil
        default: return self.number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        self.position += 1
        var members: [String: JSONValue] = [:]
        self.skipSpace()
        if self.take("}") { return .object(members) }
        while true {
            self.skipSpace()
            guard let name = self.string() else { return nil }
            self.skipSpace()
            guard self.take(":"), let value = self.value(depth: depth + 1) else { return nil }
            // "many implementations report the last name/value pair only" (RFC 8259 §4).
            members[name] = value
            self.skipSpace()
            if self.take("}") { return .object(members) }
            guard self.take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        self.position += 1
        var elements: [JSONValue] = []
        self.skipSpace()
        if self.take("]") { return .array(elements) }
        while true {
            guard let value = self.value(depth: depth + 1) else { return nil }
            elements.append(value)
            self.skipSpace()
            if self.take("]") { return .array(elements) }
            guard self.take(",") else { return nil }
        }
    }

    /// Parses a number (RFC 8259 §6).
    private mutating func number() -> JSONValue? {
        let start = self.position
        _ = self.take("-")
        if !self.take("0") { guard self.skipDigits() else { return nil } }
        var isWhole = true
        if self.take(".") {
            isWhole = false
            guard self.skipDigits() else { return nil }
        }
        if self.take("e") || self.take("E") {
            isWhole = false
            if !self.take("+") { _ = self.take("-") }
            guard self.skipDigits() else { return nil }
        }
        guard self.position - start <= Self.maximumNumberByteCount else { return nil }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { return nil }
        return .number(number)
    }

    private mutating func skipDigits() -> Bool {
        let start = self.position
        while let byte = self.next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { self.position += 1 }
        return self.position > start
    }
}

extension JSONReader {
    var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    mutating func take(_ text: StaticString) -> Bool {
        let end = self.position + text.utf8CodeUnitCount
        guard end <= self.bytes.count else { return false }
        let isHere = text.withUTF8Buffer { self.bytes[self.position..<end].elementsEqual($0) }
        if isHere { self.position = end }
        return isHere
    }

    mutating func skipSpace() {
        while let byte = self.next, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { self.position += 1 }
    }

    /// Parses a string (RFC 8259 §7); `nil` if it is malformed or contains invalid Unicode.
    mutating func string() -> String? {
        guard self.take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = self.next {
            self.position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case 0..<0x20: return nil
            case UInt8(ascii: "\\"):
                guard let scalar = self.escaped() else { return nil }
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = self.next else { return nil }
        self.position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return self.codeUnits()
        default: return nil
        }
    }

    /// Parses one UTF-16 code unit, or a surrogate pair, and returns its scalar.
    private mutating func codeUnits() -> Unicode.Scalar? {
        guard let first = self.hexadecimal() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), self.take("\\u"), let second = self.hexadecimal(),
            UTF16.isTrailSurrogate(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
    }

    private mutating func hexadecimal() -> UInt16? {
        guard self.position + 4 <= self.bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in self.bytes[self.position..<self.position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        self.position += 4
        return unit
    }
}
