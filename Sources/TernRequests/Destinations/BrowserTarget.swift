// SPDX-License-Identifier: Apache-2.0

/// The target of a request that a `Location` leads to, with the escapes of browsers (WHATWG URL §1.3).
///
/// A server that signs or compares a URL expects it as the `Location` has it. `URL` accepts only the characters of RFC
/// 3986, so ``URLReference`` encodes brackets, vertical bars and the percent signs of incomplete escapes. Browsers do
/// not. This type writes the part of a target that comes from the `Location` as browsers do.
package enum BrowserTarget {
    /// Returns the target with the escapes of browsers.
    ///
    /// The path stays as it is if the `Location` has steps (`..`) in it, because the target then has another path.
    ///
    /// - Parameters:
    ///   - target: The target of the resolved URL, which begins with a slash.
    ///   - location: The `Location`, whose bytes need not be UTF-8.
    /// - Returns: The target; `nil` if browsers send the same one.
    package static func target(_ target: String, of location: [UInt8]) -> String? {
        var rest = location[...].drop(while: \.isURLSpace)
        while rest.last?.isURLSpace == true { rest.removeLast() }
        rest = rest.prefix { $0 != UInt8(ascii: "#") }
        rest = rest[URLReference.scheme(of: rest).endIndex...]
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        if self.hasSteps(rest) { rest = rest.drop { $0 != UInt8(ascii: "?") } }
        let written = self.written(rest)
        let encoded = self.encoded(rest)
        // The target has passed other code since. Without its own end, nothing is known about it.
        guard written != encoded, target.utf8.suffix(encoded.count).elementsEqual(encoded) else { return nil }
        return String(target.dropLast(encoded.count)) + String(decoding: written, as: UTF8.self)
    }

    /// Whether the path has a segment that resolving a reference removes (RFC 3986 §5.2.4), even if it is encoded.
    private static func hasSteps(_ target: ArraySlice<UInt8>) -> Bool {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return PathStep.isIn(PercentEncoding.decode(path.span))
    }

    /// Returns a path and a query as the resolved URL has them.
    private static func encoded(_ target: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        URLReference.append(target: target, to: &output)
        guard let query = output.firstIndex(of: UInt8(ascii: "?")) else { return output }
        // The client encodes the apostrophe of a query, as browsers do.
        return output[..<query] + output[query...].flatMap { $0 == UInt8(ascii: "'") ? Array("%27".utf8) : [$0] }
    }

    /// Returns a path and a query as browsers write them.
    private static func written(_ target: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var isInQuery = false
        for byte in target {
            isInQuery = isInQuery || byte == UInt8(ascii: "?")
            if isInQuery ? self.isQueryByte(byte) : self.isPathByte(byte) {
                output.append(byte)
            } else {
                PercentEncoding.append(byte, to: &output)
            }
        }
        return output
    }

    /// Whether browsers leave a byte of a query as it is.
    ///
    /// "The query percent-encode set is the C0 control percent-encode set and U+0020 SPACE, U+0022 ("), U+0023 (#),
    /// U+003C (<), and U+003E (>). […] The special-query percent-encode set is the query percent-encode set and U+0027
    /// (')."
    private static func isQueryByte(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !"\"#<>'".utf8.contains(byte)
    }

    /// Whether browsers leave a byte of a path as it is.
    ///
    /// "The path percent-encode set is the query percent-encode set and U+003F (?), U+005E (^), U+0060 (`), U+007B ({),
    /// and U+007D (})." Browsers read a backslash as a slash. The client encodes it, because the two lead to different
    /// resources.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !"\"#<>?^`{}\\".utf8.contains(byte)
    }
}
