// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
@_exported public import TernValues
import TernErrors
import TernFoundation
package import TernRequests

/// A proxy: an intermediary that the client chooses (RFC 9110 §3.7).
///
/// ```swift
/// let proxy = try Proxy("http://user:password@proxy.example:3128")
/// let same = Proxy(
///     .http,
///     host: "proxy.example",
///     port: 3128,
///     user: "user",
///     password: "password"
/// )
/// ```
public struct Proxy: Hashable, Sendable {
    /// The protocol for talking to a proxy.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// HTTP over plain TCP; an `https` URL, or a WebSocket or other upgrade, needs a tunnel (CONNECT, RFC 9110 §9.3.6).
        case http
        /// HTTP over TLS to the proxy; for an `https` URL, the server's TLS runs inside the proxy's.
        case https
        /// SOCKS version 5 (RFC 1928); the proxy looks up the server's name, and the client does not.
        case socks5

        package var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5: 1080
            }
        }
    }

    package let kind: Kind
    /// In lower case; an IPv6 address has no brackets.
    package let host: String
    package let port: Int
    package let userInfo: Destination.UserInfo?

    /// Creates a proxy from parts that are known to be valid; to parse and check a URL, use ``init(_:)``.
    ///
    /// - Parameters:
    ///   - kind: The protocol for talking to the proxy.
    ///   - host: The name or address of the proxy, in any case; an IPv6 address may have brackets.
    ///   - port: The port, from 1 to 65535; `nil` for 80, 443 or 1080, according to the kind.
    ///   - user: The user name. An HTTP proxy usually gets it with the first request, by Basic; a SOCKS proxy gets it only if the
    ///     proxy asks (RFC 1929).
    ///   - password: The password of the user; ignored without a user.
    public init(_ kind: Kind, host: String, port: Int? = nil, user: String? = nil, password: String? = nil) {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        self.kind = kind
        self.host = (isBracketed ? String(host.dropFirst().dropLast()) : host).lowercased()
        self.port = port ?? kind.defaultPort
        self.userInfo = user.map { .init(user: $0, password: password) }
    }
}

extension Proxy: CustomStringConvertible, Described {
    package var wording: String {
        let host = self.host.utf8.contains(UInt8(ascii: ":")) ? "[\(self.host)]" : self.host
        let mask = self.userInfo.map { "\($0)@" } ?? ""
        return "\(self.kind.rawValue)://\(mask)\(host):\(self.port)"
    }
}

extension Proxy {
    /// Creates a proxy from a URL with the scheme `http`, `https`, `socks5`, `socks5h` or `socks`, or from a text like `host:port`.
    ///
    /// Without a scheme, the kind is `http`. The schemes of SOCKS all mean that the proxy looks up names. User and password are
    /// percent-decoded. The initializer refuses a literal `/`, `?`, `#` or `@` in them, because it would change where the host is.
    ///
    /// - Parameter text: The URL: a scheme and an authority (RFC 3986 §3.2). Spaces around it and a `/` at its end are ignored.
    /// - Throws: ``ProxyURLError``, which says what is wrong with the text, and contains no user and no password.
    public init(_ text: String) throws(ProxyURLError) {
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

    private static func kind(of bytes: ArraySlice<UInt8>) throws(ProxyURLError) -> (Kind, ArraySlice<UInt8>) {
        guard let end = bytes.firstRange(of: Array("://".utf8)) else { return (.http, bytes) }
        let scheme = bytes[..<end.lowerBound]
        // A text that is not a scheme may be part of a password, so the error does not repeat it.
        let isScheme = scheme.first?.isLetter ?? false && scheme.allSatisfy(\.isSchemeByte)
        guard isScheme, scheme.count <= 32 else { throw .init(.malformedScheme) }
        let rest = bytes[end.upperBound...]
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        switch name {
        case "http": return (.http, rest)
        case "https": return (.https, rest)
        case "socks5", "socks5h", "socks": return (.socks5, rest)
        default: throw .init(.unsupportedScheme(ForeignText.scheme(name)))
        }
    }

    private static func hostAndPort(_ bytes: ArraySlice<UInt8>) throws(ProxyURLError) -> (String, Int?) {
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

    private static func name(_ bytes: ArraySlice<UInt8>) throws(ProxyURLError) -> String {
        let name = String(decoding: bytes, as: UTF8.self)
        var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty ?? false { labels.removeLast() }
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNameByte) }) else { throw .init(.malformedHost) }
        // Refuse `127.1` and `0x7f000001`: resolvers read them as addresses, but code that checks a host may not.
        guard let last = labels.last, !last.isNumber || IPAddress(name) != nil else { throw .init(.malformedHost) }
        return name
    }

    /// Returns the port after the host; `nil` if there is none, even after a colon (RFC 3986 §3.2.3).
    private static func port(_ bytes: ArraySlice<UInt8>) throws(ProxyURLError) -> Int? {
        guard let colon = bytes.first else { return nil }
        guard colon == UInt8(ascii: ":") else { throw .init(.malformedHost) }
        // A second colon belongs to an IPv6 address without brackets.
        guard !bytes.dropFirst().contains(UInt8(ascii: ":")) else { throw .init(.malformedHost) }
        guard bytes.count > 1 else { return nil }
        guard let port = PortNumber.read(bytes.dropFirst()) else { throw .init(.malformedPort) }
        return port
    }

    private static func userInfo(_ bytes: ArraySlice<UInt8>) throws(ProxyURLError) -> (String?, String?) {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        guard let user = PercentDecoding.decode(bytes[..<(colon ?? bytes.endIndex)]) else {
            throw .init(.malformedUserInfo)
        }
        guard let colon else { return (user.isEmpty ? nil : user, nil) }
        guard let password = PercentDecoding.decode(bytes[(colon + 1)...]) else { throw .init(.malformedUserInfo) }
        return user.isEmpty && password.isEmpty ? (nil, nil) : (user, password)
    }
}
