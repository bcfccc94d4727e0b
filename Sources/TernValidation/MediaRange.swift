// SPDX-License-Identifier: Apache-2.0

/// Media types that are accepted: one, `text/html`; all of a kind, `text/*`; all, `*/*`; or all in a format,
/// `application/*+json`.
///
/// The last form is this module's own. `application/json` does not stand for `application/problem+json`, because who asks
/// for a value does not want a report of a problem: a suffix is matched where it is asked for.
package struct MediaRange: Hashable, Sendable {
    /// How many ranges of an `Accept` field are read: 64; browsers send fewer than ten.
    package static let maximumCount = 64

    /// `nil` where the text is no range: then nothing is within it.
    private let pattern: MediaType?

    /// Reads a range.
    ///
    /// - Parameter text: a media type, with stars if need be, and with the parameters that the content must have. It is
    ///   `nil` for anything else.
    package init?(_ text: String) {
        guard let pattern = MediaType(text), Self.isRange(pattern) else { return nil }
        self.pattern = pattern
    }

    private init(pattern: MediaType?) { self.pattern = pattern }

    /// Whether a media type is within the range.
    ///
    /// Parameters of the range must be in the type; others may be. "The type and subtype tokens are case-insensitive"
    /// (RFC 9110 §8.3.1), as is the value of `charset`; values of other parameters are compared as they are.
    ///
    /// - Parameter type: the type of the content.
    /// - Returns: `true` if it is one of the range's.
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
    /// Reads a range from a literal of the program; if it is none, nothing is within it.
    package init(stringLiteral text: String) { self = MediaRange(text) ?? MediaRange(pattern: nil) }
}

extension MediaRange {
    /// The ranges of an `Accept` field (RFC 9110 §12.5.1).
    ///
    /// A range with the weight 0, `q=0`, "means "not acceptable"" (§12.4.2), and is left out; other weights say what is
    /// preferred, not what is accepted.
    ///
    /// - Parameter accept: the value of the field.
    /// - Returns: the ranges, in order; `nil` if the value is no list of ranges, or one of more than ``maximumCount``.
    package static func ranges(accept: String) -> [MediaRange]? {
        Self.weighted(accept: accept)?.compactMap { $0.isRefused ? nil : $0.range }
    }

    /// All ranges of an `Accept` field, those with the weight 0 too.
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

    /// How precise the range is: "the most specific reference has precedence" (RFC 9110 §12.5.1).
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
