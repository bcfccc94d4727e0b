// SPDX-License-Identifier: Apache-2.0

/// The domains under which unrelated parties register names: `com`, `co.uk`, `github.io`.
///
/// A ``CookieJar`` stores no cookie for all domains under one, because it would go to unrelated parties. The list is Mozilla's,
/// with both sections: ICANN's domains, and the suffixes of private companies. The program contains it, so nothing is loaded.
public struct PublicSuffixList: Sendable {
    /// The version of the list: the time of its creation, such as `2026-10-22_08-36-41_UTC`.
    public static var version: String { PublicSuffixes.version }

    /// The list that is part of the program.
    public static let bundled = PublicSuffixList(names: PublicSuffixes.names)

    /// The number of last labels to examine, which is more than any rule has.
    private static let maximumLabelCount = 12

    private let names: StaticString

    init(names: StaticString) { self.names = names }

    /// Returns the public suffix of a host: `co.uk` for `www.example.co.uk`.
    ///
    /// A top-level domain that is not in the list is itself a public suffix.
    ///
    /// - Parameter host: A name in lower case with labels in ASCII (`xn--…`), with or without a dot at its end.
    /// - Returns: The suffix; `nil` for an IP address, and if the last label is a number or one of the last 12 is empty.
    public func publicSuffix(of host: String) -> Substring? {
        guard let starts = Self.labelStarts(of: host) else { return nil }
        let end = host.utf8.last == UInt8(ascii: ".") ? host.utf8.index(before: host.endIndex) : host.endIndex
        var best = starts[0]
        var isWildcard = false
        for (index, start) in starts.enumerated() {
            if isWildcard { best = start }  // "*" matches exactly one label, whichever it is
            isWildcard = false
            guard let rule = self.rule(for: host[start..<end]) else { continue }
            switch rule {
            case .exception:
                // An exception prevails over all other rules: the suffix is the rule without its leftmost label.
                return index > 0 ? host[starts[index - 1]..<end] : host[start..<end]
            case .suffix: best = start
            case .wildcard: isWildcard = true
            case .both: (best, isWildcard) = (start, true)
            }
        }
        return host[best..<end]
    }

    /// Returns the registrable domain, the public suffix with one more label: `example.co.uk` for `www.example.co.uk`.
    ///
    /// - Parameter host: A host, as for ``publicSuffix(of:)``.
    /// - Returns: The domain; `nil` if the host is itself a public suffix, an IP address, or not a host name.
    public func registrableDomain(of host: String) -> Substring? {
        guard let suffix = self.publicSuffix(of: host), suffix.startIndex > host.startIndex else { return nil }
        let dot = host.utf8.index(before: suffix.startIndex)
        guard let before = host[..<dot].lastIndex(of: ".") else { return host[..<suffix.endIndex] }
        return host[host.utf8.index(after: before)..<suffix.endIndex]
    }

    /// Returns whether a whole host is a public suffix.
    public func isPublicSuffix(_ host: String) -> Bool {
        guard let suffix = self.publicSuffix(of: host) else { return false }
        return suffix.startIndex == host.startIndex
    }

    /// Returns whether two hosts are equal, or have the same registrable domain.
    public func isSameSite(_ host: String, _ other: String) -> Bool {
        if host == other { return true }
        guard let domain = self.registrableDomain(of: host) else { return false }
        return domain == self.registrableDomain(of: other)
    }

    // MARK: Names

    /// Returns where the labels of a name begin, the last label first; `nil` if the text is not a name.
    private static func labelStarts(of host: String) -> [String.Index]? {
        guard !CookieHost.isIPAddress(host) else { return nil }
        let bytes = host.utf8
        var end = bytes.endIndex
        if bytes.last == UInt8(ascii: ".") { end = bytes.index(before: end) }
        var starts: [String.Index] = []
        var index = end
        while starts.count < Self.maximumLabelCount {
            let start = bytes[..<index].lastIndex(of: UInt8(ascii: ".")).map(bytes.index(after:)) ?? bytes.startIndex
            guard start < index else { return nil }  // an empty label
            starts.append(start)
            guard start > bytes.startIndex else { break }
            index = bytes.index(before: start)
        }
        return starts
    }

    // MARK: Searching

    private enum Rule {
        case suffix
        case wildcard
        case both
        case exception
    }

    private func rule(for name: Substring) -> Rule? {
        var name = String(name)
        return name.withUTF8 { name in
            let text = UnsafeBufferPointer(start: self.names.utf8Start, count: self.names.utf8CodeUnitCount)
            var (low, high) = (0, text.count)
            while low < high {
                var start = low + (high - low) / 2
                while start > low, text[start - 1] != UInt8(ascii: "\n") { start -= 1 }
                let (order, mark) = Self.compare(name, text, start)
                if order == 0 { return Self.rule(mark) }
                if order < 0 {
                    high = start
                } else {
                    while start < high, text[start] != UInt8(ascii: "\n") { start += 1 }
                    low = start + 1
                }
            }
            return nil
        }
    }

    /// Compares a name with a line of the list, and returns the byte after the name, which is less than all bytes of names.
    private static func compare(
        _ name: UnsafeBufferPointer<UInt8>,
        _ text: UnsafeBufferPointer<UInt8>,
        _ start: Int
    ) -> (order: Int, mark: UInt8) {
        for offset in 0...name.count {
            let mine = offset < name.count ? name[offset] : 0
            let its = start + offset < text.count ? text[start + offset] : UInt8(ascii: "\n")
            let isOver = its < UInt8(ascii: "-")
            if offset == name.count { return (isOver ? 0 : -1, its) }
            if isOver { return (1, its) }
            if mine != its { return (Int(mine) - Int(its), its) }
        }
        return (0, 0)
    }

    private static func rule(_ mark: UInt8) -> Rule {
        switch mark {
        case UInt8(ascii: "*"): .wildcard
        case UInt8(ascii: "+"): .both
        case UInt8(ascii: "!"): .exception
        default: .suffix
        }
    }
}
