// SPDX-License-Identifier: Apache-2.0

/// Which domains are registries, under which strangers register names: `com`, `co.uk`, `github.io`.
///
/// A cookie for all of such a domain would go to strangers, so a ``CookieJar`` refuses it. The list is Mozilla's, as of
/// ``version``; it is part of the program and is searched where it lies, so it costs nothing to those who do not ask it.
/// Both its parts count: what ICANN knows, and the suffixes of private companies.
public struct PublicSuffixList: Sendable {
    /// The version of the list: when it was made, as `2026-10-22_08-36-41_UTC`.
    public static var version: String { PublicSuffixes.version }

    /// The list that is part of the program.
    public static let shipped = PublicSuffixList(names: PublicSuffixes.names)

    /// More labels than any rule has; a name with more is searched from its end.
    private static let maximumLabelCount = 12

    private let names: StaticString

    /// Reads a list in the form that the script makes.
    init(names: StaticString) { self.names = names }

    /// The public suffix of a host: `co.uk` of `www.example.co.uk`.
    ///
    /// A top-level domain that the list does not know is a suffix by itself; its rule is "`*`".
    ///
    /// - Parameter host: a name in lower case whose labels are ASCII (`xn--…`), with or without a dot at its end.
    /// - Returns: `nil` for an IP address, and for what is no name; a dot at the end is not part of it.
    /// - Complexity: O(log *n*) in the length of the list for each of the last labels.
    public func publicSuffix(of host: String) -> Substring? {
        guard let starts = Self.labelStarts(of: host) else { return nil }
        let end = host.utf8.last == UInt8(ascii: ".") ? host.utf8.index(before: host.endIndex) : host.endIndex
        var best = starts[0]
        var isWildcard = false
        for (index, start) in starts.enumerated() {
            if isWildcard { best = start }  // "*" stands for exactly one label, which may be any
            isWildcard = false
            guard let rule = self.rule(for: host[start..<end]) else { continue }
            switch rule {
            case .exception:
                // The rule without its leftmost label; it prevails over all others.
                return index > 0 ? host[starts[index - 1]..<end] : host[start..<end]
            case .suffix: best = start
            case .wildcard: isWildcard = true
            case .both: (best, isWildcard) = (start, true)
            }
        }
        return host[best..<end]
    }

    /// The domain that was registered: `example.co.uk` of `www.example.co.uk`, what HTML calls the registrable one.
    ///
    /// - Parameter host: as for ``publicSuffix(of:)``.
    /// - Returns: `nil` if the host is a public suffix itself, an IP address, or no name.
    public func registrableDomain(of host: String) -> Substring? {
        guard let suffix = self.publicSuffix(of: host), suffix.startIndex > host.startIndex else { return nil }
        let dot = host.utf8.index(before: suffix.startIndex)
        guard let before = host[..<dot].lastIndex(of: ".") else { return host[..<suffix.endIndex] }
        return host[host.utf8.index(after: before)..<suffix.endIndex]
    }

    /// Whether a host is a public suffix.
    ///
    /// - Parameter host: as for ``publicSuffix(of:)``.
    /// - Returns: `false` for an address, too.
    public func isPublicSuffix(_ host: String) -> Bool {
        guard let suffix = self.publicSuffix(of: host) else { return false }
        return suffix.startIndex == host.startIndex
    }

    /// Whether two hosts belong to one site: their registrable domains are equal, or they are one host.
    ///
    /// - Parameters:
    ///   - host: as for ``publicSuffix(of:)``.
    ///   - other: the other one.
    /// - Returns: `false` for two suffixes and for two addresses, unless they are the same.
    public func isSameSite(_ host: String, _ other: String) -> Bool {
        if host == other { return true }
        guard let domain = self.registrableDomain(of: host) else { return false }
        return domain == self.registrableDomain(of: other)
    }

    // MARK: Names

    /// Where the labels of a name begin, the last label first; `nil` if it is no name.
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

    /// What stands behind a name in the list; `nil` if it is not there.
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

    /// How a name compares to that of a line, and the byte behind the latter; each such byte is less than those of names.
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
