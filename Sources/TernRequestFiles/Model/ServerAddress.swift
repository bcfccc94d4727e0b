// SPDX-License-Identifier: Apache-2.0

/// The scheme, the host and the port of a server, with values that are known only when a request is sent.
package enum ServerAddress {
    package struct Failure: Error, Hashable, Sendable {
        package let rule: RequestFileRule
    }

    /// Returns the address with its values; throws if a value beside other text could end the host: otherwise,
    /// `{{name}}.example.com` with the value `other.example/` would be another server.
    package static func text(
        of template: Template,
        _ value: (String) -> String
    ) throws(Failure) -> String {
        for (index, piece) in template.pieces.enumerated() where template.wholeVariable == nil {
            guard case .variable(let name) = piece else { continue }
            let text = value(name)
            let namesServer = index == 0 && text.contains("://")
            guard namesServer || text.utf8.allSatisfy(\.isHostByte) else { throw Failure(rule: .malformedHost) }
        }
        let text = Self.completed(template.text(value))
        let scheme = text.prefix { $0 != ":" }
        guard Self.isScheme(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
            throw Failure(rule: .malformedScheme)
        }
        let authority = text.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        if authority.contains("@") { throw Failure(rule: .userInURL) }
        if let rule = Self.problem(ofAuthority: String(authority)) { throw Failure(rule: rule) }
        return text
    }

    /// Returns an address with `http://` if it has no scheme, and with `//` if only this is missing (WHATWG URL §4.4).
    package static func completed(_ text: String) -> String {
        if text.contains("://") { return text }
        for scheme in ["http:", "https:"] where text.lowercased().hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            // Digits are a port: `http:80` is a host and its port.
            if let first = rest.utf8.first, !first.isDigit { return "\(scheme)//\(rest)" }
        }
        return "http://\(text)"
    }

    /// Returns whether text is a supported scheme, in any letter case (RFC 3986 §3.1).
    static func isScheme(_ text: some StringProtocol) -> Bool {
        ["http", "https", "ws", "wss"].contains(text.lowercased())
    }

    /// Returns the rule that a host with its port breaks, so that no client could connect to it.
    static func problem(ofAuthority authority: String) -> RequestFileRule? {
        let isLiteral = authority.hasPrefix("[")
        guard authority.utf8.allSatisfy(\.isHostByte),
            let end = isLiteral ? authority.lastIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
        else { return .malformedHost }
        let host = isLiteral ? authority[..<end].dropFirst() : authority[..<end]
        guard isLiteral ? Self.isIPv6(host) : Self.isNameOrIPv4(host) else { return .malformedHost }
        let rest = isLiteral ? authority[end...].dropFirst() : authority[end...]
        // The port may be empty (RFC 3986 §3.2.3).
        guard rest.isEmpty || rest == ":" || rest.first == ":" && UInt16(rest.dropFirst()) != nil else {
            return .malformedPort
        }
        return nil
    }

    /// Returns whether a host is a name, whose last label is not a number, or an IPv4 address.
    private static func isNameOrIPv4(_ host: Substring) -> Bool {
        let labels = (host.hasSuffix(".") ? host.dropLast() : host).split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        guard labels.allSatisfy({ !$0.isEmpty && !$0.contains("[") && !$0.contains("]") }) else { return false }
        guard labels.last?.utf8.allSatisfy(\.isDigit) ?? false else { return true }
        return labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
    }

    /// Returns whether a host looks like an IPv6 address, whose details the client checks.
    private static func isIPv6(_ host: Substring) -> Bool {
        let colons = host.utf8.count { $0 == UInt8(ascii: ":") }
        return 2...8 ~= colons && host.utf8.allSatisfy { $0.isHexDigit || ":.".utf8.contains($0) }
    }
}
