// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The content of one `Set-Cookie` field (RFC 6265bis §5.6), without attributes whose value is longer than 1024 bytes.
public struct SetCookie: Hashable, Sendable {
    /// The bytes of the name, as received, but without white space at its ends; they may be empty.
    public var nameBytes: [UInt8]
    /// The bytes of the value, as received, but without white space at its ends; they may be empty.
    public var valueBytes: [UInt8]
    /// The time in the last valid `Expires` attribute; `nil` without one.
    public var expires: Date?
    /// The lifetime in seconds, from the last valid `Max-Age`, which takes precedence over ``expires``; `nil` without one.
    ///
    /// The parser limits it to 34,560,000 seconds (400 days). Zero means that the cookie has expired.
    public var maximumAge: Int?
    /// The last `Domain` attribute, in lower case and without a leading dot; if empty or `nil`, the cookie is for the host alone.
    public var domainBytes: [UInt8]?
    /// The value of the last `Path` attribute; `nil` without one.
    public var path: Path?
    /// Whether the field has the attribute `Secure`.
    public var isSecure = false
    /// Whether the field has the attribute `HttpOnly`.
    public var isHTTPOnly = false
    /// The value of the last `SameSite` attribute.
    public var sameSite = Cookie.SameSite.unspecified

    /// The value of a `Path` attribute; RFC 6265bis §5.6.4 defines no others.
    public enum Path: Hashable, Sendable {
        /// The attribute has no valid path, so the default path applies (§5.1.4).
        case `default`
        /// A path.
        case path(String)
    }

    /// Parses the value of a `Set-Cookie` field.
    ///
    /// - Parameter bytes: The value.
    /// - Throws: ``CookieViolation/controlCharacter`` for a control character other than a tab; ``CookieViolation/tooLong`` if
    ///   name and value together exceed 4096 bytes.
    public init(parsing bytes: borrowing Span<UInt8>) throws(CookieViolation) {
        self = try SetCookieParser.parse(bytes)
    }

    init(nameBytes: [UInt8], valueBytes: [UInt8]) {
        self.nameBytes = nameBytes
        self.valueBytes = valueBytes
    }
}

extension SetCookie: CustomStringConvertible, CustomReflectable, Described, PartlyShown {
    /// The name, with a mask for the value, which is as sensitive as a password.
    package var wording: String { "\(String(decoding: self.nameBytes, as: UTF8.self))=***" }

    package var shownParts: KeyValuePairs<String, Any> { [:] }
}

/// Parses a `Set-Cookie` field with the algorithm of RFC 6265bis §5.6.
enum SetCookieParser {
    /// The maximum length of name and value together (§5.6, step 5).
    ///
    /// Beyond it, the cookie is ignored.
    static let maximumPairByteCount = 4096
    /// The maximum length of an attribute's value (§5.6, attributes, step 6).
    ///
    /// Beyond it, the attribute is ignored.
    static let maximumAttributeByteCount = 1024
    /// The longest life of a cookie, in seconds.
    ///
    /// Beyond it, the cookie expires. RFC 6265bis §5.5: "The limit SHOULD NOT be greater than 400 days (34560000 seconds) in the
    /// future".
    static let maximumAge = 34_560_000

    static func parse(_ bytes: borrowing Span<UInt8>) throws(CookieViolation) -> SetCookie {
        // 1. "If the set-cookie-string contains a %x00-08 / %x0A-1F / %x7F character (CTL characters excluding HTAB):
        // Abort this algorithm and ignore the set-cookie-string entirely."
        for index in bytes.indices where bytes[index].isControl { throw .controlCharacter }
        let end = bytes.first(UInt8(ascii: ";"), in: 0..<bytes.count) ?? bytes.count
        var cookie = try self.pair(bytes, end)
        var index = end
        while index < bytes.count {
            let start = index + 1  // after the semicolon
            index = bytes.first(UInt8(ascii: ";"), in: start..<bytes.count) ?? bytes.count
            self.attribute(bytes, start..<index, &cookie)
        }
        return cookie
    }

    private static func pair(_ bytes: borrowing Span<UInt8>, _ end: Int) throws(CookieViolation) -> SetCookie {
        var (name, value) = (0..<0, 0..<end)
        // "If the name-value-pair string lacks a %x3D ("=") character, then the name string is empty, and the value
        // string is the value of name-value-pair."
        if let sign = bytes.first(UInt8(ascii: "="), in: 0..<end) {
            (name, value) = (0..<sign, (sign + 1)..<end)
        }
        (name, value) = (bytes.trimmed(name), bytes.trimmed(value))
        guard name.count + value.count <= Self.maximumPairByteCount else { throw .tooLong }
        return SetCookie(nameBytes: bytes.extracting(name).array, valueBytes: bytes.extracting(value).array)
    }

    private static func attribute(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, _ cookie: inout SetCookie) {
        var (name, value) = (range, range.upperBound..<range.upperBound)
        if let sign = bytes.first(UInt8(ascii: "="), in: range) {
            (name, value) = (range.lowerBound..<sign, (sign + 1)..<range.upperBound)
        }
        (name, value) = (bytes.trimmed(name), bytes.trimmed(value))
        // "If the attribute-value is longer than 1024 octets, ignore the cookie-av string"
        guard value.count <= Self.maximumAttributeByteCount else { return }
        if bytes.isWord("expires", name) {
            if let date = CookieDate.parse(bytes.extracting(value)) { cookie.expires = date }
        } else if bytes.isWord("max-age", name) {
            if let age = self.age(bytes.extracting(value)) { cookie.maximumAge = age }
        } else if bytes.isWord("domain", name) {
            cookie.domainBytes = self.domain(bytes.extracting(value))
        } else if bytes.isWord("path", name) {
            // §5.6.4: "If the attribute-value is empty or if the first character of the attribute-value is not %x2F
            // ("/"): Let cookie-path be the default-path."
            let isPath = !value.isEmpty && bytes[value.lowerBound] == UInt8(ascii: "/")
            cookie.path = isPath ? .path(String(decoding: bytes.extracting(value).array, as: UTF8.self)) : .default
        } else if bytes.isWord("secure", name) {
            cookie.isSecure = true
        } else if bytes.isWord("httponly", name) {
            cookie.isHTTPOnly = true
        } else if bytes.isWord("samesite", name) {
            cookie.sameSite = self.sameSite(bytes, value)
        }
    }

    private static func age(_ value: borrowing Span<UInt8>) -> Int? {
        guard value.count > 0 else { return nil }
        let isNegative = value[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard start < value.count else { return nil }
        var age = 0
        for index in start..<value.count {
            guard value[index].isDigit else { return nil }
            age = min(age * 10 + Int(value[index] - 0x30), Self.maximumAge)
        }
        return isNegative ? 0 : age
    }

    /// Leaves out a leading dot: "let cookie-domain be cookie-domain without its leading %x2E (".")" (§5.6.3).
    private static func domain(_ value: borrowing Span<UInt8>) -> [UInt8] {
        let start = value.count > 0 && value[0] == UInt8(ascii: ".") ? 1 : 0
        return value.extracting(start..<value.count).array.map(\.lowercased)
    }

    /// §5.6.7: any word other than `None`, `Lax` and `Strict` means "Default".
    private static func sameSite(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) -> Cookie.SameSite {
        if bytes.isWord("none", value) { return .none }
        if bytes.isWord("strict", value) { return .strict }
        return bytes.isWord("lax", value) ? .lax : .unspecified
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// The rule `%x00-08 / %x0A-1F / %x7F` (RFC 6265bis §5.6).
    var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }

    var isWhitespace: Bool { self == 0x20 || self == 0x09 }

    var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension Span<UInt8> {
    var array: [UInt8] { self.withUnsafeBufferPointer { Array($0) } }

    func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range where self[index] == byte { return index }
        return nil
    }

    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isWhitespace { start += 1 }
        while end > start, self[end - 1].isWhitespace { end -= 1 }
        return start..<end
    }

    func isWord(_ word: StaticString, _ range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count
        where self[range.lowerBound + offset].lowercased != word.utf8Start[offset] {
            return false
        }
        return true
    }
}

extension Collection<UInt8> {
    func hasPrefix(ignoringCase word: String) -> Bool {
        self.lazy.map(\.lowercased).starts(with: word.utf8)
    }
}
