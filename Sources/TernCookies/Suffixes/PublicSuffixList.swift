// SPDX-License-Identifier: Apache-2.0

/// The domains under which unrelated parties register names: `com`, `co.uk`, `github.io`.
///
/// A cookie for a whole public suffix would go to unrelated parties, so a ``CookieJar`` refuses it. The list is
/// Mozilla's, and ``version`` is the time of its creation. The list is part of the program and needs no loading, so it
/// costs nothing until a program uses it. Both sections of the list apply: ICANN's domains, and the suffixes of private
/// companies.
public struct PublicSuffixList: Sendable {
    /// The version of the list: the time of its creation, such as `2026-10-22_08-36-41_UTC`.
    public static var version: String { PublicSuffixes.version }

    /// The list that is part of the program.
    public static let bundled = PublicSuffixList(names: PublicSuffixes.names)

    /// The maximum number of labels to examine, which is more than any rule has.
    ///
    /// If a name is longer, only its last labels are examined.
    private static let maximumLabelCount = 12

    private let names: StaticString

    /// Creates a list in the format that `scripts/tools/update-public-suffixes` writes.
    init(names: StaticString) { self.names = names }

    /// Returns the public suffix of a host: `co.uk` for `www.example.co.uk`.
    ///
    /// A top-level domain that is not in the list is itself a public suffix, because the rule for all other names is
    /// `*`.
    ///
    /// - Parameter host: A name in lower case with labels in ASCII (`xn--…`), with or without a dot at its end.
    /// - Returns: The suffix, without a dot at its end; `nil` for an IP address, and for a text that is not a host
    ///   name.
    /// - Complexity: O(log *n*) in the length of the list for each examined label.
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

    /// Returns the domain that a party registered: `example.co.uk` for the host `www.example.co.uk`.
    ///
    /// The HTML standard calls it the registrable domain.
    ///
    /// - Parameter host: A host, as for ``publicSuffix(of:)``.
    /// - Returns: The public suffix with one more label; `nil` if the host is itself a public suffix, an IP address, or
    ///   not a host name.
    public func registrableDomain(of host: String) -> Substring? {
        guard let suffix = self.publicSuffix(of: host), suffix.startIndex > host.startIndex else { return nil }
        let dot = host.utf8.index(before: suffix.startIndex)
        guard let before = host[..<dot].lastIndex(of: ".") else { return host[..<suffix.endIndex] }
        return host[host.utf8.index(after: before)..<suffix.endIndex]
    }

    /// Returns whether a host is a public suffix.
    ///
    /// - Parameter host: A host, as for ``publicSuffix(of:)``.
    /// - Returns: `true` if the whole host is a public suffix. `false` for any other host, such as an IP address.
    public func isPublicSuffix(_ host: String) -> Bool {
        guard let suffix = self.publicSuffix(of: host) else { return false }
        return suffix.startIndex == host.startIndex
    }

    /// Returns whether two hosts belong to the same site: their registrable domains are equal, or the hosts themselves
    /// are equal.
    ///
    /// - Parameters:
    ///   - host: A host, as for ``publicSuffix(of:)``.
    ///   - other: The other host.
    /// - Returns: `true` if the hosts belong to the same site. Two public suffixes or two IP addresses belong to the
    ///   same site only if they are equal.
    public func isSameSite(_ host: String, _ other: String) -> Bool {
        if host == other { return true }
        guard let domain = self.registrableDomain(of: host) else { return false }
        return domain == self.registrableDomain(of: other)
    }

    // MARK: Names

    /// Returns the indices where the labels of a name begin, the last label first; `nil` if the text is not a name.
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

    /// Returns the rule for a name in the list; `nil` if the list does not contain it.
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

    /// Compares a name with the name on a line of the list, and returns the byte after the name on the line.
    ///
    /// A byte that can follow a name on its line is less than every byte that a name can contain.
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
