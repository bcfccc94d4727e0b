// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The algorithm of RFC 6265bis §5.6, step by step.
enum SetCookieParser {
    /// The longest name and value together (§5.6, step 5).
    static let maximumPairByteCount = 4096
    /// The longest value of an attribute (§5.6, attributes, step 6).
    static let maximumAttributeByteCount = 1024
    /// The longest life of a cookie, in seconds.
    ///
    /// "The limit SHOULD NOT be greater than 400 days (34560000 seconds) in the future." (§5.5)
    static let maximumAge = 34_560_000

    static func parse(_ bytes: borrowing Span<UInt8>) throws(CookieViolation) -> SetCookie {
        // 1. "If the set-cookie-string contains a %x00-08 / %x0A-1F / %x7F character (CTL characters excluding HTAB):
        // Abort this algorithm and ignore the set-cookie-string entirely."
        for index in bytes.indices where bytes[index].isControl { throw .controlCharacter }
        let end = bytes.first(UInt8(ascii: ";"), in: 0..<bytes.count) ?? bytes.count
        var cookie = try self.pair(bytes, end)
        var index = end
        while index < bytes.count {
            let start = index + 1  // behind the semicolon
            index = bytes.first(UInt8(ascii: ";"), in: start..<bytes.count) ?? bytes.count
            self.attribute(bytes, start..<index, &cookie)
        }
        return cookie
    }

    /// Name and value: steps 3 to 6.
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

    /// Seconds of `Max-Age` (§5.6.2), not more than 400 days, not less than none; `nil` if it is no number.
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

    /// The domain in lower case, without the dot that it may begin with.
    ///
    /// "If cookie-domain starts with %x2E ("."), let cookie-domain be cookie-domain without its leading %x2E (".")."
    /// (§5.6.3)
    private static func domain(_ value: borrowing Span<UInt8>) -> [UInt8] {
        let start = value.count > 0 && value[0] == UInt8(ascii: ".") ? 1 : 0
        return value.extracting(start..<value.count).array.map(\.lowercased)
    }

    /// §5.6.7: any other word is "Default".
    private static func sameSite(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) -> Cookie.SameSite {
        if bytes.isWord("none", value) { return .none }
        if bytes.isWord("strict", value) { return .strict }
        return bytes.isWord("lax", value) ? .lax : .unspecified
    }
}
