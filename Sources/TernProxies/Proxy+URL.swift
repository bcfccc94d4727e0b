// SPDX-License-Identifier: Apache-2.0

extension Proxy {
    /// Reads the URL of a proxy: `http://`, `https://`, `socks5://`, `socks5h://` or `socks://`, or only `host:port`.
    ///
    /// Without a scheme it is `http`. The three schemes of SOCKS mean the same: version 5, and the proxy looks up the
    /// names. curl has the client look them up for `socks5`, which tells the local network where the call goes, and
    /// fails for names that only the proxy knows.
    ///
    /// Spaces around it and a `/` at its end are ignored. Anything else that is not an authority (RFC 3986 §3.2) is
    /// refused and not guessed at: a password with a bare `/` or `@` would move the end of the host. The user and the
    /// password are percent-decoded.
    ///
    /// - Parameter text: the URL.
    /// - Throws: the rule that the text breaks; what is thrown holds neither user nor password.
    /// - Complexity: O(*n*) in the length of the text.
    public init(_ text: String) throws(ProxyURLViolation) {
        let bytes = Array(text.utf8).trimmed
        guard !bytes.isEmpty else { throw .init(.empty) }
        let (kind, rest) = try Self.kind(of: bytes)
        // "The authority component […] is terminated by the next slash, question mark, or number sign" (RFC 3986 §3.2).
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let tail = rest[authority.endIndex...]
        guard tail.isEmpty || tail.elementsEqual("/".utf8) else { throw .init(.unexpectedPath) }
        let parts = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let last = parts.last else { throw .init(.malformedUserInfo) }
        let (host, port) = try Self.hostAndPort(last)
        let (user, password) = parts.count == 2 ? try Self.userInfo(parts[0]) : (nil, nil)
        self.init(kind, host: host, port: port, user: user, password: password)
    }

    private static func kind(of bytes: ArraySlice<UInt8>) throws(ProxyURLViolation) -> (Kind, ArraySlice<UInt8>) {
        guard let end = bytes.firstRange(of: Array("://".utf8)) else { return (.http, bytes) }
        let scheme = bytes[..<end.lowerBound]
        // What is no scheme may be part of a password, so that it is not repeated.
        let isScheme = scheme.first?.isLetter ?? false && scheme.allSatisfy(\.isSchemeByte)
        guard isScheme, scheme.count <= 32 else { throw .init(.malformedScheme) }
        let rest = bytes[end.upperBound...]
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        switch name {
        case "http": return (.http, rest)
        case "https": return (.https, rest)
        case "socks5", "socks5h", "socks": return (.socks5, rest)
        default: throw .init(.unsupportedScheme(name))
        }
    }

    private static func hostAndPort(_ bytes: ArraySlice<UInt8>) throws(ProxyURLViolation) -> (String, Int?) {
        guard let first = bytes.first, first != UInt8(ascii: ":") else { throw .init(.missingHost) }
        let isBracketed = first == UInt8(ascii: "[")
        guard let end = isBracketed ? bytes.firstIndex(of: UInt8(ascii: "]")) : bytes.firstIndex(of: UInt8(ascii: ":"))
        else {
            guard !isBracketed else { throw .init(.malformedHost) }
            return (try Self.name(bytes), nil)
        }
        guard isBracketed else { return (try Self.name(bytes[..<end]), try Self.port(bytes[end...])) }
        let literal = String(decoding: bytes[..<end].dropFirst(), as: UTF8.self)
        guard IPAddress(literal)?.isIPv6 ?? false else { throw .init(.malformedHost) }
        return (literal, try Self.port(bytes[(end + 1)...]))
    }

    /// A host that is no IPv6 address: letters, digits, `-`, `_` and dots between them, as in the URL of a request.
    private static func name(_ bytes: ArraySlice<UInt8>) throws(ProxyURLViolation) -> String {
        let name = String(decoding: bytes, as: UTF8.self)
        var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty ?? false { labels.removeLast() }
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNameByte) }) else { throw .init(.malformedHost) }
        // Resolvers also read `127.1` and `0x7f000001` as addresses, and whoever checks a host does not.
        guard let last = labels.last, !last.isNumber || IPAddress(name) != nil else { throw .init(.malformedHost) }
        return name
    }

    /// What follows the host: nothing, a colon (RFC 3986 §3.2.3 allows no port after it), or a colon and the port.
    private static func port(_ bytes: ArraySlice<UInt8>) throws(ProxyURLViolation) -> Int? {
        guard let colon = bytes.first else { return nil }
        guard colon == UInt8(ascii: ":") else { throw .init(.malformedHost) }
        // A second colon is that of an IPv6 address without its brackets.
        guard !bytes.dropFirst().contains(UInt8(ascii: ":")) else { throw .init(.malformedHost) }
        guard bytes.count > 1 else { return nil }
        guard let port = PortNumber.read(bytes.dropFirst()) else { throw .init(.malformedPort) }
        return port
    }

    /// The user and the password; `nil` for both if they are empty.
    private static func userInfo(_ bytes: ArraySlice<UInt8>) throws(ProxyURLViolation) -> (String?, String?) {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        guard let user = PercentDecoding.decode(bytes[..<(colon ?? bytes.endIndex)]) else {
            throw .init(.malformedUserInfo)
        }
        guard let colon else { return (user.isEmpty ? nil : user, nil) }
        guard let password = PercentDecoding.decode(bytes[(colon + 1)...]) else { throw .init(.malformedUserInfo) }
        return user.isEmpty && password.isEmpty ? (nil, nil) : (user, password)
    }
}
