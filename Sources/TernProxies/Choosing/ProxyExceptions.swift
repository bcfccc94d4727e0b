// SPDX-License-Identifier: Apache-2.0

/// The hosts that the client reaches directly although there is a proxy, in the format of `no_proxy`.
///
/// Entries are separated by commas or spaces. Letter case, and a dot at the end of a name, do not matter:
///
/// - `example.com`, `.example.com` and `*.example.com` are that host and all its subdomains; never `badexample.com`.
/// - `10.1.2.3`, `fe80::1` and `[fe80::1]` are these addresses. An IPv6 address may be in any notation, without a zone.
/// - `10.0.0.0/8` is every address whose first 8 bits are those of `10.0.0.0`, and `fd00::/8` likewise (RFC 4632 §3.1).
/// - `*` is every host.
/// - Every entry, except a range, may end in `:` and the port to which it applies; an IPv6 address then needs brackets.
///
/// The client looks up no name for this, so an address or a range matches no name that leads to it. An IPv4-mapped IPv6 address
/// (RFC 4291 §2.5.5.2) counts as the IPv4 address. A malformed entry matches no host, so that requests still use the proxy.
public struct ProxyExceptions: Hashable, Sendable {
    /// No exceptions.
    public static let none = ProxyExceptions("")

    enum Pattern: Hashable, Sendable {
        case all
        case name(String)
        case address(IPAddress)
        case range(IPAddress, bitCount: Int)
    }

    struct Entry: Hashable, Sendable {
        var pattern: Pattern
        var port: Int?
    }

    let entries: [Entry]

    /// Creates exceptions from a list of entries, separated by commas or spaces.
    public init(_ text: String) {
        self.entries = text.utf8.split { $0 == UInt8(ascii: ",") || $0.isSpace }.compactMap { bytes in
            Substring(bytes).lowercased().readEntry()
        }
    }

    var containsAll: Bool { self.entries.contains { $0.pattern == .all && $0.port == nil } }

    package func contains(host: String, port: Int) -> Bool {
        guard !self.entries.isEmpty else { return false }
        let host = ProxiedHost(host)
        return self.entries.contains { $0.port ?? port == port && $0.pattern.matches(host) }
    }
}

extension ProxyExceptions: ExpressibleByStringLiteral {
    /// Creates exceptions from a list in the source code.
    public init(stringLiteral text: String) { self.init(text) }
}

extension ProxyExceptions.Pattern {
    fileprivate func matches(_ host: ProxiedHost) -> Bool {
        switch (self, host) {
        case (.all, _): true
        case (.name(let name), .name(let other)): other == name || other.hasLabels(name)
        case (.address(let address), .address(let other)): other == address
        case (.range(let address, let bitCount), .address(let other)): other.shares(bitCount, with: address)
        case (.name, .address), (.address, .name), (.range, .name): false
        }
    }
}

extension String {
    fileprivate func hasLabels(_ name: String) -> Bool {
        let (bytes, end) = (self.utf8, name.utf8)
        return bytes.count > end.count && bytes.suffix(end.count).elementsEqual(end)
            && bytes.dropLast(end.count).last == UInt8(ascii: ".")
    }

    fileprivate func readEntry() -> ProxyExceptions.Entry? {
        if self.utf8.contains(UInt8(ascii: "/")) { return Self.range(self).map { .init(pattern: $0) } }
        // A text without brackets and with more than one colon can only be an IPv6 address.
        if let address = IPAddress(self) { return .init(pattern: .address(address.unmapped)) }
        if self.hasPrefix("[") { return Self.literal(self) }
        let parts = self.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first.flatMap(Self.namePattern) else { return nil }
        guard parts.count == 2 else { return .init(pattern: name) }
        return PortNumber.read(parts[1].utf8).map { .init(pattern: name, port: $0) }
    }

    private static func range(_ text: String) -> ProxyExceptions.Pattern? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard
            parts.count == 2, let address = IPAddress(parts[0]), 1...3 ~= parts[1].utf8.count,
            parts[1].utf8.allSatisfy(\.isDigit), let bitCount = Int(parts[1]), bitCount <= address.bytes.count * 8
        else { return nil }
        guard address.isMapped, bitCount >= 96 else { return .range(address, bitCount: bitCount) }
        return .range(address.unmapped, bitCount: bitCount - 96)
    }

    private static func literal(_ text: String) -> ProxyExceptions.Entry? {
        guard
            let end = text.firstIndex(of: "]"), let address = IPAddress(text[..<end].dropFirst()), address.isIPv6
        else { return nil }
        let (pattern, rest) = (ProxyExceptions.Pattern.address(address.unmapped), text[end...].dropFirst())
        guard let colon = rest.first else { return .init(pattern: pattern) }
        guard colon == ":", let port = PortNumber.read(rest.utf8.dropFirst()) else { return nil }
        return .init(pattern: pattern, port: port)
    }

    private static func namePattern(_ text: Substring) -> ProxyExceptions.Pattern? {
        guard text != "*" else { return .all }
        if let address = IPAddress(text) { return .address(address) }
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text.hasPrefix(".") ? text.dropFirst() : text
        let bare = name.hasSuffix(".") ? name.dropLast() : name
        // An entry with a star in another place counts as malformed, although its author may expect a pattern.
        guard !bare.isEmpty, bare.utf8.allSatisfy({ $0 != UInt8(ascii: "*") }) else { return nil }
        return .name(String(bare))
    }
}

enum ProxiedHost: Hashable, Sendable {
    case name(String)
    case address(IPAddress)

    init(_ host: String) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
        // Compare the address without its zone, because lists of exceptions have no zones.
        if let address = IPAddress(bare.prefix { $0 != "%" }) {
            self = .address(address.unmapped)
        } else {
            self = .name((bare.hasSuffix(".") ? bare.dropLast() : bare).lowercased())
        }
    }

    /// Whether the host is this machine: RFC 6761 §6.3 makes `localhost` and the names below it loopback names.
    var isLoopback: Bool {
        switch self {
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        case .address(let address): address.isLoopback
        }
    }
}
