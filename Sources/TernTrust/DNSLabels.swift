// SPDX-License-Identifier: Apache-2.0

enum DNSLabels {
    static let wildcard = Array("*".utf8)

    /// Returns the labels in lower case, the first perhaps `*`, without a final dot; `nil` if a host cannot have this name.
    static func labels(of name: String) -> [[UInt8]]? {
        let bytes = name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        let isAbsolute = bytes.last == UInt8(ascii: ".")
        let labels = bytes.dropLast(isAbsolute ? 1 : 0)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        let plain = labels.first == self.wildcard ? labels.dropFirst() : labels[...]
        return plain.allSatisfy { !$0.isEmpty && $0.allSatisfy(self.isInLabel) } ? labels : nil
    }

    private static func isInLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Returns the host name in a URI; `nil` for an IP address, or without a host.
    static func host(ofURI uri: String) -> String? {
        guard let start = uri.utf8.firstRange(of: "://".utf8)?.upperBound else { return nil }
        let ends = "/?#".utf8
        var authority = uri.utf8[start...].prefix { !ends.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        let text = String(decoding: host, as: UTF8.self)
        guard let last = self.labels(of: text)?.last, last != self.wildcard else { return nil }
        // The last label of an IPv4 address is a number; the last label of a name never is.
        return last.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? nil : text
    }
}
