// SPDX-License-Identifier: Apache-2.0

/// Takes names of hosts in certificates apart.
enum DNSLabels {
    /// The label that stands for any.
    static let wildcard = Array("*".utf8)

    /// The labels of a name, in lower case; `nil` if it is not one that a host can have.
    ///
    /// A wildcard may be the first label as a whole. One dot at the end is left out.
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

    /// The host of a URI, if it is a name and not an address.
    static func host(ofURI uri: String) -> String? {
        guard let start = uri.utf8.firstRange(of: "://".utf8)?.upperBound else { return nil }
        let ends = "/?#".utf8
        var authority = uri.utf8[start...].prefix { !ends.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        let text = String(decoding: host, as: UTF8.self)
        guard let last = self.labels(of: text)?.last, last != self.wildcard else { return nil }
        // The last label of an address in four parts is a number, that of a name never is.
        return last.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? nil : text
    }
}
