// SPDX-License-Identifier: Apache-2.0
package import TernErrors

/// A range of accepted media types: `text/html`, `text/*`, `*/*`, or all types of a format, `application/*+json`.
///
/// Only the last form, which is specific to this module, matches a suffix: `application/json` does not match
/// `application/problem+json`, because a caller who asks for a value does not want a problem report.
package struct MediaRange: Hashable, Sendable {
    /// The maximum number of ranges that are read from an `Accept` field, of which browsers send fewer than ten.
    package static let maximumCount = 64

    /// The pattern; `nil` if the literal is not a range, so that this range contains no type.
    private let pattern: MediaType?

    package init?(_ text: String) {
        guard let pattern = MediaType(text), Self.isRange(pattern) else { return nil }
        self.pattern = pattern
    }

    private init(pattern: MediaType?) { self.pattern = pattern }

    /// Returns whether a type matches, with all parameters of the range; letter case matters in all their values but the `charset`.
    package func contains(_ type: MediaType) -> Bool {
        guard let pattern = self.pattern, pattern.type == "*" || pattern.type == type.type else { return false }
        guard Self.matches(pattern.subtype, type) else { return false }
        return pattern.parameters.allSatisfy { wanted in
            guard let value = type[wanted.name] else { return false }
            return wanted.name == "charset" ? value.lowercased() == wanted.value.lowercased() : value == wanted.value
        }
    }

    private static func matches(_ pattern: String, _ type: MediaType) -> Bool {
        if pattern == "*" || pattern == type.subtype { return true }
        guard pattern.hasPrefix("*+") else { return false }
        return type.suffix.map { pattern.dropFirst(2) == $0 } ?? false
    }

    private static func isRange(_ pattern: MediaType) -> Bool {
        if pattern.type == "*" { return pattern.subtype == "*" }
        guard !pattern.type.contains("*") else { return false }
        let isOpen = pattern.subtype == "*" || pattern.subtype.hasPrefix("*+")
        return !pattern.subtype.dropFirst(isOpen ? 1 : 0).contains("*")
    }
}

extension MediaRange: ExpressibleByStringLiteral {
    /// Creates a range, which contains no type if the literal is not a range.
    package init(stringLiteral text: String) { self = MediaRange(text) ?? MediaRange(pattern: nil) }
}

extension MediaRange {
    /// Returns the ranges of an `Accept` field without those of weight 0, "not acceptable" (RFC 9110 §12.4.2); `nil` if malformed.
    package static func ranges(accept: String) -> [MediaRange]? {
        Self.weighted(accept: accept)?.compactMap { $0.isRefused ? nil : $0.range }
    }

    /// Returns all ranges of an `Accept` field, including the ones with the weight 0.
    static func weighted(accept: String) -> [(range: MediaRange, isRefused: Bool)]? {
        var scanner = FieldScanner(accept, maximumByteCount: Self.maximumCount * MediaType.maximumByteCount)
        var ranges: [(range: MediaRange, isRefused: Bool)] = []
        while !scanner.isAtEnd {
            // "A recipient MUST parse and ignore a reasonable number of empty list elements" (§5.6.1.2).
            if scanner.take(",") {
                scanner.skipSpace()
                continue
            }
            guard ranges.count < Self.maximumCount, let read = scanner.mediaType(), Self.isRange(read) else {
                return nil
            }
            ranges.append((MediaRange(pattern: Self.withoutWeight(read)), Self.isRefused(read)))
            guard scanner.isAtEnd || scanner.take(",") else { return nil }
            scanner.skipSpace()
        }
        return ranges
    }

    /// A higher number for a more specific range: "the most specific reference has precedence" (RFC 9110 §12.5.1).
    var precision: Int {
        guard let pattern = self.pattern, pattern.type != "*" else { return 0 }
        if pattern.subtype == "*" { return 1 }
        return (pattern.subtype.hasPrefix("*") ? 2 : 3) + pattern.parameters.count
    }

    private static func isRefused(_ range: MediaType) -> Bool {
        guard let weight = range["q"] else { return false }
        return weight.hasPrefix("0") && weight.allSatisfy { $0 == "0" || $0 == "." }
    }

    private static func withoutWeight(_ range: MediaType) -> MediaType {
        MediaType(type: range.type, subtype: range.subtype, parameters: range.parameters.filter { $0.name != "q" })
    }
}
