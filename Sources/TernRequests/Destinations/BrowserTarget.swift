// SPDX-License-Identifier: Apache-2.0

/// The target of a `Location`, with the escapes of browsers (WHATWG URL §1.3), which a server that compares URLs expects.
package enum BrowserTarget {
    /// Returns the target with the escapes of browsers; `nil` if browsers send the same one, or if nothing is known about it.
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

    private static func hasSteps(_ target: ArraySlice<UInt8>) -> Bool {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return PathStep.isIn(PercentEncoding.decode(path.span))
    }

    private static func encoded(_ target: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        URLReference.append(target: target, to: &output)
        guard let query = output.firstIndex(of: UInt8(ascii: "?")) else { return output }
        // The client encodes the apostrophe of a query, as browsers do.
        return output[..<query] + output[query...].flatMap { $0 == UInt8(ascii: "'") ? Array("%27".utf8) : [$0] }
    }

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

    /// Whether browsers leave a byte of a query as it is: neither a control, a space, nor one of `"#<>'`.
    private static func isQueryByte(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !"\"#<>'".utf8.contains(byte)
    }

    /// Whether browsers leave a byte of a path as it is; the client also encodes a backslash, which browsers read as a slash.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !"\"#<>?^`{}\\".utf8.contains(byte)
    }
}
